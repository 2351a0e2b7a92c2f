"""Reports on standard output: as tables, or as one JSON object."""

import json
from typing import Any

from rich.console import Console
from rich.table import Table

WIDTH = 140
"""Of tables with a column for each agent."""


def print_json(report: dict[str, Any]) -> None:
    """One object on one line."""
    print(json.dumps(report, allow_nan=False))


def print_facts(report: dict[str, Any]) -> None:
    """Names and figures."""
    table = Table(show_header=False)
    for name, value in report.items():
        shown = f"{value:,.2f}" if isinstance(value, float) else str(value)
        if isinstance(value, list):
            shown = " ".join(f"{item:.3f}" for item in value)
        table.add_row(name.replace("_", " "), shown)
    Console().print(table)


def print_check(report: dict[str, Any]) -> None:
    """Success by length, and what correct execution contains."""
    console = Console()
    players = [name for name in report["bins"][0] if name not in ("lo", "hi", "episodes")]
    table = Table("lines", "episodes", *(name.replace("_", " ") for name in players), title="success")
    for row in report["bins"]:
        shares = (f"{row[name]:.3f}" for name in players)
        table.add_row(f"{row['lo']}-{row['hi']}", str(row["episodes"]), *shares)
    shares = (f"{report[f'{name}_success']:.4f}" for name in players)
    table.add_row("all", str(report["levels"]), *shares, style="bold")
    console.print(table)
    if "subtask_success" in report:
        number, share = report["subtasks"], report["subtask_success"]
        console.print(f"single commands carried out by the worker: {share:.4f} of {number:,}")
    kinds = Table("transition", "per episode", "share of levels", title="what correct execution contains")
    for kind, figures in report["transitions"].items():
        kinds.add_row(kind.replace("_", " "), *(f"{figure:.3f}" for figure in figures.values()))
    console.print(kinds)


def print_paper_bins(report: dict[str, Any]) -> None:
    """Success in the paper's own bins, seed by seed."""
    about = f"{report['agent']} ({report['preset']}) on {report['experiment']}, the paper's protocol"
    table = Table("bin", "episodes of each seed", "success of each seed", title=about)
    for row in report["bins"]:
        shares = (won / max(played, 1) for won, played in zip(row["successes"], row["episodes"], strict=True))
        table.add_row(row["id"], " ".join(map(str, row["episodes"])), " ".join(f"{share:.3f}" for share in shares))
    Console().print(table)


def print_bins(report: dict[str, Any]) -> None:
    """Success in an experiment's bins."""
    from cofca.experiments.scores import PLAYERS

    table = Table(
        "bin", "episodes", *PLAYERS, title=f"{report['agent']} ({report['preset']}) on {report['experiment']}"
    )
    for row in report["bins"]:
        shares = {player: f"{row[player]:.3f}" for player in PLAYERS} | {"sampled": _with_error(row)}
        table.add_row(row["id"], str(row["episodes"]), *shares.values())
    Console().print(table)
    if scripted := report["bins"][0]["references"]:
        names = (name.replace("_", " ") for name in scripted)
        beside = Table("bin", *names, title="scripted players on the same levels")
        for row in report["bins"]:
            beside.add_row(row["id"], *(f"{share:.3f}" for share in row["references"].values()))
        Console().print(beside)


def print_scores(report: dict[str, Any]) -> None:
    """Success of a policy in an experiment's bins, and what the cards of shipped agents say of them."""
    about = f"{report['policy']} on {report['experiment']}, worker {report['worker']}"
    table = Table("bin", "episodes", "success", "oracle", "random", title=about)
    for row in report["bins"]:
        beside = (f"{row[player]:.3f}" for player in ("oracle", "random"))
        table.add_row(row["id"], str(row["episodes"]), _with_error(row), *beside)
    Console().print(table)
    if report["published"]:
        # Whole names, also where there is no terminal or a narrow one.
        Console(width=max(Console().width, WIDTH)).print(_published(report["published"]))


def _published(known: list[dict[str, Any]]) -> Table:
    """What cards say, with a column for each agent."""
    first = known[0]["bins"][0]
    levels = f"{first['episodes']} levels a bin, level seed {first['level_seed']}, worker {known[0]['worker']}"
    agents = (one["name"].rpartition("/")[2] for one in known)
    table = Table("bin", *agents, title=f"{known[0]['name'].partition('/')[0]}, published: {levels}")
    for rows in zip(*(one["bins"] for one in known), strict=True):
        table.add_row(rows[0]["id"], *map(_with_error, rows))
    return table


def _with_error(row: dict[str, Any]) -> str:
    return f"{row['sampled']:.3f} ± {row['sampled_se']:.3f}"
