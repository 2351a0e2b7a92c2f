"""Runs the playground's scripts: in Node, or else in Chromium."""

import base64
import json
import shutil
import subprocess
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from cofca.experiments.zoo import find_weights, one_of
from cofca.runs.page import ARRAYS
from cofca.viewer.playground_page import AGENT, script, site

NODE = shutil.which("node")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_javascript = pytest.mark.skipif(not (NODE or CHROMIUM), reason="there is neither Node nor Chromium here")

PARSE = """
given => given.map(text => {
  try { return { lines: parse(text).lines }; }
  catch (error) {
    if (!(error instanceof InstructionError)) throw error;
    return { error: error.message, line: error.line, column: error.column };
  }
})"""
EPISODES = """
given => {
  const agent = new Agent(readTensors(Uint8Array.from(atob(given.weights), (letter) => letter.charCodeAt(0)).buffer));
  return given.levels.map(({ instruction, map }) => {
    const { cells, worker } = readMap(map);
    const steps = play(agent, parse(instruction), cells, worker);
    return %s;
  });
}"""
CHOICES = """steps.map(({ pointer, decision, after }) => ({
  pointer, command: decision.command, primitive: decision.primitive, opens: decision.opens, target: decision.target,
  cells: after.cells, worker: after.worker, inventory: after.inventory, line: after.line, status: after.status,
  numbers: [...decision.logits, decision.gate, ...decision.weights, decision.value],
}))"""
TOLD = """(({ frames, depths }) => ({ frames, depths }))(record("", steps, () => ""))"""
REPLAY = """
given => given.map(({ instruction, map, commands }) => {
  const { cells, worker } = readMap(map);
  let state = start(parse(instruction), cells, worker);
  return commands.map(command => {
    const before = state, primitive = planner(before, command);
    state = advance(before, command, primitive);
    const { cells, worker, inventory, line, status } = state;
    return {
      step: { command, primitive, cells, worker, inventory, line, status },
      words: news({ state: before, decision: { command, primitive }, after: state }),
    };
  });
})"""

UNLIKE = """given => given.texts.map(text => unlikeTraining(parse(text), given.training))"""


def parsed(texts: list[str]) -> list[dict[str, Any]]:
    """The lines of each text, or what is wrong with it and where."""
    return _called(script("parser.js"), PARSE, texts)


def unlike(texts: list[str]) -> list[str]:
    """What is said to be unlike training."""
    return _called(script("words.js"), UNLIKE, {"texts": texts, "training": site()["training"]})


def played(levels: list[dict[str, str]], node: str | None = NODE) -> list[list[dict[str, Any]]]:
    """Each level's episode, step by step."""
    return _episodes(levels, CHOICES, node)


def recorded(levels: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Each level's episode, as it is shown: its frames, and the depths of its lines."""
    return _episodes(levels, TOLD)


def _episodes(levels: list[dict[str, str]], told: str, node: str | None = NODE) -> list[Any]:
    weights = base64.b64encode((one_of(find_weights(AGENT)) / ARRAYS).read_bytes()).decode()
    given = {"levels": levels, "weights": weights}
    return _called(script("agent.js", "maps.js", "record.js"), EPISODES % told, given, node)


def replayed(levels: list[dict[str, str]], commands: list[list[int]]) -> list[list[dict[str, Any]]]:
    """What each level's commands lead to, step by step, and what is said of it."""
    given = [{**level, "commands": some} for level, some in zip(levels, commands, strict=True)]
    return _called(script("maps.js", "words.js"), REPLAY, given)


def _called(source: str, function: str, given: Any, node: str | None = NODE) -> Any:
    """What a function returns, given this, among the scripts."""
    if node:
        reading = 'import { readFileSync } from "node:fs";'
        writing = f"process.stdout.write(JSON.stringify(({function})(JSON.parse(readFileSync(0)))));"
        command = [node, "--input-type=module", "--eval", f"{reading}\n{source}\n{writing}"]
        done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
        assert not done.returncode, done.stderr
        return json.loads(done.stdout)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]).new_page()
        return page.evaluate(f"(given) => {{ {source}\nreturn ({function})(given); }}", given)
