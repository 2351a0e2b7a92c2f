"""The recorded episodes: they are of today's format, tell one story, and are what the agents still do."""

import gzip
import json

import numpy as np
import pytest
from PIL import Image

from cofca.envs.registry import domain
from cofca.viewer.examples import BY_NAME, EXAMPLES, FOLDER, episodes, play
from cofca.viewer.packed import Sheet, unpack
from cofca.viewer.pictures import PNG, address_of, picture_of

ROOM = 150_000
"""Bytes of the package."""
OF_ALL = ("lines", "depths", "standings", "icons")
"""What is told of an episode as a whole."""


@pytest.mark.parametrize("name", list(BY_NAME))
def test_what_is_shipped_is_a_whole_story(name: str):
    example = BY_NAME[name]
    for agent, record in zip(example.agents, episodes(name), strict=True):
        language = domain(example.domain).language
        assert language.parse("\n".join(record["lines"])) == language.parse(example.instruction)
        assert (record["agent"], record["domain"]) == (agent, example.domain)
        *steps, last = record["frames"]
        for frame, following in zip(steps, record["frames"][1:], strict=True):
            assert following["pointer"] == (frame["pointer"] if frame["target"] is None else frame["target"])
            assert frame["say"].endswith(".")
        assert last["status"] in ("success", "failed")
        assert {frame["picture"] for frame in record["frames"]} == set(range(len(record["pictures"])))


def test_they_are_small_and_our_agent_succeeds_where_another_fails():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < ROOM
    first = EXAMPLES[0]
    assert len(first.instruction.splitlines()) == 50
    assert [record["frames"][-1]["status"] for record in episodes(first.name)] == ["success", "failed"]


def test_what_is_packed_comes_back():
    chance = np.random.default_rng(0)
    few = chance.integers(0, 256, (20, 3), dtype=np.uint8)
    images = [few[np.kron(chance.integers(0, 20, (3, 4)), np.ones((25, 25), int))] for _ in range(3)]
    pictures = [address_of(Image.fromarray(image)) for image in images]
    sheet = Sheet()
    parts = [sheet.pack({"frames": [], "pictures": some}) for some in (pictures[:2], pictures[2:])]
    found = [unpack(json.loads(json.dumps(packed)), sheet.image()) for packed in parts]
    assert [list(back) for back in found] == [["frames", "pictures"]] * 2
    for picture, image in zip([*found[0]["pictures"], *found[1]["pictures"]], images, strict=True):
        assert picture.startswith(PNG)
        assert (np.asarray(picture_of(picture).convert("RGB")) == image).all()


@pytest.mark.parametrize(
    "name", ["while", *(pytest.param(name, marks=pytest.mark.soak) for name in BY_NAME if name != "while")]
)
def test_they_are_what_is_played_today(name: str):
    shipped = json.loads(gzip.decompress(BY_NAME[name].path.read_bytes()))
    for recorded, played in zip(shipped, play(BY_NAME[name]), strict=True):
        assert set(recorded) - {"size"} == set(played)
        assert {name: recorded.get(name) for name in OF_ALL} == {name: played.get(name) for name in OF_ALL}
        for before, now in zip(recorded["frames"], played["frames"], strict=True):
            assert set(before) == set(now)
            for field in ("pointer", "say", "status", "facts", "news", "place", "standing"):
                assert before.get(field) == now.get(field)
