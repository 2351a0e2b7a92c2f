"""What single and vector environments share."""

from abc import ABC, abstractmethod
from typing import Any

import gymnasium
from gymnasium import spaces

from cofca.experiments.build import find_domain
from cofca.experiments.policies import limits_of
from cofca.interop.gymnasium.forks import require_no_fork
from cofca.interop.gymnasium.observations import spaces_of

RENDERING: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}

Latest = tuple[int | None, int | None]
"""The latest action and what came of it; None before the first."""


class Setting:
    """The domain with its parameters, spaces and pictures."""

    def __init__(self, domain_name: str, worker: str, render_mode: str | None, params: dict[str, Any]) -> None:
        if render_mode is not None and render_mode not in RENDERING["render_modes"]:
            raise ValueError(f"unknown render_mode {render_mode!r}; expected rgb_array or ansi")
        require_no_fork()
        self.arguments = domain_name, worker, render_mode, params
        self.domain = find_domain(domain_name, worker)
        self.params = self.domain.params(**_read(params, getattr(self.domain.params, "READERS", {})))
        self.env = self.domain.environment()
        self.render_mode = render_mode
        self.num_actions = self.env.num_actions(self.params)
        self.observation_space = spaces.Dict(spaces_of(limits_of(self.env, self.params)))
        self.action_space: spaces.Discrete = spaces.Discrete(self.num_actions)

    def __reduce__(self) -> tuple[Any, ...]:
        # Domains have functions without names, which can't be pickled.
        return Setting, self.arguments

    def render(self, state: Any, latest: Latest) -> Any:
        """A state as a picture or as text with colour codes."""
        if self.render_mode is None:
            raise ValueError("render needs a render_mode, given when the environment is made: rgb_array or ansi")
        scene = self.domain.display.scene(state, self.params, *latest)
        return (
            self.domain.display.picture(scene) if self.render_mode == "rgb_array" else self.domain.display.ansi(scene)
        )


def _read(params: dict[str, Any], readers: dict[str, Any]) -> dict[str, Any]:
    """Parameters as an environment's spec has them, which may come from JSON: ranges as lists, and texts for what is no
    number."""
    ranges = {name: tuple(value) for name, value in params.items() if isinstance(value, list)}
    texts = {name: value for name, value in params.items() if name in readers and isinstance(value, str)}
    return params | ranges | {name: readers[name](text) for name, text in texts.items()}


class Copyable(ABC):
    """Environments are copied and pickled with their state; what is compiled is found again."""

    @abstractmethod
    def _compile(self) -> None:
        """Find what is compiled."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_compiled"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._compile()


def need_reset(state: Any) -> None:
    """Refuse to go on with an episode that has not begun."""
    if state is None:
        raise gymnasium.error.ResetNeeded("this needs a reset first")


def mask_of(obs: dict[str, Any]) -> dict[str, Any]:
    """The mask of actions, where the domain has one: in `info`, in the form that spaces sample by."""
    return {"action_mask": obs["action_mask"]} if "action_mask" in obs else {}
