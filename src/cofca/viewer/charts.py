"""Charts as HTML that takes its colours and its width from the page around it."""

from collections.abc import Sequence
from html import escape

from cofca.paper.statistics import Estimate

TICKS = (0, 0.25, 0.5, 0.75, 1)


def curve_chart(steps: Sequence[int], success: Sequence[float], final: float, beside: dict[str, float]) -> str:
    """Success while training and afterwards, with the lines of those who did not learn."""
    points = [(100 * step / steps[-1], 100 * (1 - share)) for step, share in zip(steps, success, strict=True)]
    path = "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    levels = "".join(_level(name, share) for name, share in beside.items())
    grid = " ".join(f"M0 {100 * share:g}H100" for share in TICKS)
    across = f"<span>0</span><span>{steps[-1] // 2:,}</span><span>{steps[-1]:,}</span>"
    others = ", ".join(f"{name} {share:.2f}" for name, share in beside.items())
    said = f"Success while training, from {success[0]:.2f} to {success[-1]:.2f}; afterwards {final:.2f}; {others}."
    return (
        f'<div class="chart" role="img" aria-label="{escape(said)}"><div class="plot">'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none">'
        f'<path class="grid" d="{grid}"/>{levels}<path class="learning" d="{path}"/></svg>'
        + "".join(f'<span class="tick" style="top:{100 * (1 - share):g}%">{share:g}</span>' for share in TICKS)
        + "".join(_dot("point", x, y) for x, y in points)
        + _dot("final", 100, 100 * (1 - final))
        + f'</div><div class="across">{across}</div></div>'
    )


def strip_chart(by_seed: Sequence[float], success: Estimate | None, here: float | None) -> str:
    """One row: a dot for each seed, their mean and its standard error, and a ring for what was played here."""
    parts = [_line("base", 0, 1)]
    if success:
        low, high = max(success.mean - success.error, 0), min(success.mean + success.error, 1)
        parts += [_line("error", low, high), _line("mean", success.mean, success.mean, 20, 80)]
    parts += [f'<circle class="seed" cx="{_percent(share)}" cy="50%" r="4.5"/>' for share in by_seed]
    if here is not None:
        parts.append(f'<circle class="here" cx="{_percent(here)}" cy="50%" r="7"/>')
    return f'<svg class="strip" aria-hidden="true">{"".join(parts)}</svg>'


def _line(kind: str, start: float, end: float, top: int = 50, bottom: int = 50) -> str:
    return f'<line class="{kind}" x1="{_percent(start)}" x2="{_percent(end)}" y1="{top}%" y2="{bottom}%"/>'


def _level(name: str, share: float) -> str:
    return f'<path class="{escape(name)}" d="M0 {100 * (1 - share):.2f}H100"/>'


def _dot(kind: str, x: float, y: float) -> str:
    return f'<i class="{kind}" style="left:{x:.2f}%;top:{y:.2f}%"></i>'


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
