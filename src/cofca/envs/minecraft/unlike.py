"""What a person's instruction has that training levels did not."""

from cofca.envs.minecraft.language.instruction import OPENERS, Instruction, depths
from cofca.envs.minecraft.language.text import words
from cofca.envs.minecraft.params import MinecraftParams


def unlike(instruction: Instruction, params: MinecraftParams) -> list[str]:
    """Its length, its nesting and its conditions, in words, where training had none like them."""
    blocks = [(line, 1 + depth) for line, depth in zip(instruction, depths(instruction), strict=True)]
    blocks = [(line, depth) for line, depth in blocks if line.type in OPENERS]
    length, deepest = len(instruction), max((depth for _, depth in blocks), default=0)
    said = []
    if length > params.longest:
        said.append(f"{length} lines (at most {params.longest} there)")
    if deepest > params.max_depth:
        said.append(f"blocks {deepest} deep (at most {params.max_depth} there)")
    new = (" ".join(words(line)[1:]) for line, _ in blocks if line.condition not in params.conditions)
    return [*said, *dict.fromkeys(new)]
