"""Scripted players that answer with text: the ceiling and the floor of what can be scored."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
import numpy as np

from cofca.envs.base import Environment
from cofca.envs.rollout import Policy, memoryless, random_policy, step_keys
from cofca.interop.text.env import TextEnv
from cofca.utils.compilation import MOST_PARAMS


class Scripted(NamedTuple):
    """A policy of `cofca.envs.rollout` in words. It looks at the environment, not at the text: it is no agent."""

    policy: Callable[[TextEnv], Policy]

    def playing(self, env: TextEnv) -> Callable[[str], str]:
        """What answers in this environment, with one choice a turn and the chances of `cofca.envs.rollout.play`."""
        policy = self.policy(env)
        act = _compiled(policy, env.env, env.params)
        memory: Any = None

        def answer(prompt: str) -> str:
            nonlocal memory
            state = env.now.state
            memory = policy.begin(state) if env.choices == 0 else memory
            action, memory = act(env.key, np.int32(env.choices), state, memory)
            # The oracle waits where the program is done at the start. Then any command does.
            known = int(action) if 0 <= int(action) < env.now.allowed.size else 0
            return env.domain.display.action_text(known, env.params)

        return answer


ORACLE = Scripted(lambda env: memoryless(env.domain.oracle))
RANDOM = Scripted(lambda env: random_policy(env.env, env.params))


@lru_cache(maxsize=MOST_PARAMS)
def _compiled(policy: Policy, env: Environment, params: Any) -> Callable[..., Any]:
    def act(key: Any, number: Any, state: Any, memory: Any) -> tuple[Any, Any]:
        keys = step_keys(key, number)
        taken = policy.step(keys[:2], state, memory, partial(env.respond, keys[2], state, params=params))
        return taken.action, taken.memory

    return jax.jit(act)
