"""Presets: `tuned` is ours, `paper` is the published system."""

from reprlib import repr as shown

from cofca.experiments.presets.ablation import ABLATION
from cofca.experiments.presets.base import AgentPreset, Preset
from cofca.experiments.presets.paper import PAPER, PAPER_STRICT
from cofca.experiments.presets.tuned import TUNED as _TUNED
from cofca.utils.spelling import guess

__all__ = ["ABLATION", "PRESETS", "TUNED", "AgentPreset", "Preset", "preset"]

TUNED = _TUNED.name
PRESETS = {found.name: found for found in (_TUNED, PAPER, PAPER_STRICT)}


def preset(name: str) -> Preset:
    """Look a preset up."""
    if name not in PRESETS and name not in ABLATION:
        raise ValueError(f"unknown preset {shown(name)}; expected {' or '.join(PRESETS)}{guess(name, PRESETS)}")
    return {**ABLATION, **PRESETS}[name]
