"""What a program gives back is kept for its next call."""

import os
import subprocess
import sys

import pytest

FAULTS = """
import resource, sys
import numpy as np
from cofca.utils.memory import keep_memory

if "keep" in sys.argv:
    keep_memory()
    keep_memory()
np.zeros(2**23).fill(1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    np.empty(2**23).fill(1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have another C library")
def test_memory_is_kept() -> None:
    # Those who run tests keep memory, too.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    kept, returned = (
        int(subprocess.run([sys.executable, "-c", FAULTS, *how], env=plain, check=True, capture_output=True).stdout)
        for how in (["keep"], [])
    )
    assert kept < returned / 5
