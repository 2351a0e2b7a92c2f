"""Runs the playground's scripts: in Node, or else in Chromium."""

import json
import shutil
import subprocess
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from cofca.viewer.playground_page import AGENT, script, site

NODE = shutil.which("node")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_javascript = pytest.mark.skipif(not (NODE or CHROMIUM), reason="there is neither Node nor Chromium here")
