"""Fuzzing that follows what each case reaches: python -m reliability.guided TARGET FOLDER --seconds 1200.

It needs atheris, of the extra `fuzz`. Cases that reach something new go to FOLDER/cases. It ends at the first case that
is neither read nor refused in one line, with the case in FOLDER. Then, or after its time, `reliability.corpus` keeps
what is worth keeping.
"""

import argparse
import os
import sys
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["cofca", "safetensors"]):
    from tiny_preset import TINY

    from cofca.experiments.presets import PRESETS
    from reliability.cases import is_read, ready
    from reliability.corpus import corpus
    from reliability.fuzzer import mutated
    from reliability.targets import TARGETS

MEGABYTES = 4096
"""JAX alone takes a few hundred."""


def mutate(data: bytes, size: int, seed: int) -> bytes:
    """Half of the cases are forged as a person would, the others are changed byte by byte."""
    rng = Random(seed)
    if rng.random() < 0.5:
        return atheris.Mutate(data, size)
    try:
        return mutated(rng, data)[:size]
    except RecursionError:
        return atheris.Mutate(data, size)


def main() -> None:
    """Fuzz one target."""
    parser = argparse.ArgumentParser()
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=int, default=1200)
    words = parser.parse_args()
    PRESETS[TINY.name] = TINY
    cases, work = words.folder.absolute() / "cases", words.folder.absolute() / "work"
    cases.mkdir(parents=True, exist_ok=True)
    work.mkdir()
    target = ready(words.target, work)
    for number, data in enumerate((target.sample, *corpus(words.target))):
        (cases / f"kept-{number}").write_bytes(data)
    # Nothing is to be found where the process happens to be.
    os.chdir(work)
    options = {
        "max_total_time": words.seconds,
        "max_len": 2 * len(target.sample) + 1000,
        "rss_limit_mb": MEGABYTES,
        "artifact_prefix": f"{words.folder.absolute()}/",
        "print_final_stats": 1,
    }
    flags = [f"-{name}={value}" for name, value in options.items()]

    def one(data: bytes) -> None:
        is_read(target, data, work)

    atheris.Setup([sys.argv[0], str(cases), *flags], one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
