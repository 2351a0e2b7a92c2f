"""The documentation site: Sphinx reads the pages where they lie, so a link that works in the repository works here."""

import os
import sys
from pathlib import Path

# Notebooks are run. What they compile runs once, and draws into files.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")
os.environ["MPLBACKEND"] = "agg"
sys.path.insert(0, str(Path(__file__).parent))

import cofca

project = "cofca"
author = "the authors of cofca"
release = version = cofca.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "arrays",
    "sections",
    "settings",
    "commands",
    "notebooks",
    "formulas",
    "site_only",
]

root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "benchmarks/README.md",
    "results/CLAIMS.md",
    "results/scoreboard/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "src/cofca/experiments/shipped/**/README.md",
]
exclude_patterns = [".*", "build", "demo", "runs", "tests", "vendor", "docs/site"]
source_suffix = {".md": "markdown", ".ipynb": "markdown"}

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
default_role = "code"

html_theme = "pydata_sphinx_theme"
html_title = f"cofca {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["root"]
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "logo": {"text": "cofca"},
    "show_prev_next": False,
    "show_toc_level": 2,
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
