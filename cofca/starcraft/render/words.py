"""A frame in words: the choice, whether time passed, and what the enemy did."""

from cofca.render.words import Words
from cofca.starcraft.params import StarCraftParams
from cofca.starcraft.render.scene import choice_text, news_texts, passed_text
from cofca.starcraft.render.show import scene_of
from cofca.starcraft.world import State


def words(before: State, after: State, action: int, response: int, params: StarCraftParams) -> Words:
    """What happened between two states."""
    scene = scene_of(after, params, action, response)
    news = news_texts(scene) if after.time != before.time else []
    return Words(choice_text(action, params.size), passed_text(scene), news)


def first_words(state: State, params: StarCraftParams) -> list[str]:
    """Nothing has happened yet."""
    del state, params
    return []
