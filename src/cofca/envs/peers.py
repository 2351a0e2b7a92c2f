"""Other people's environments, timed by the same rules as ours. Each needs its own package."""

import importlib.util
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import PRNGKeyArray

from cofca.envs.bench import ROUNDS, measure

XLAND = "XLand-MiniGrid-R1-9x9"


def require_xland() -> None:
    """Refuse at once where the package is missing, not after minutes of measuring."""
    if importlib.util.find_spec("xminigrid") is None:
        raise ValueError("the peer xland needs the package xminigrid: pip install 'cofca[peer]'")


def bench_xland(envs: int, steps: int, seed: int = 0) -> dict[str, Any]:
    """xland-minigrid with its own automatic reset, random actions, observations used."""
    import xminigrid
    from xminigrid.wrappers import GymAutoResetWrapper

    env, params = xminigrid.make(XLAND)
    env = GymAutoResetWrapper(env)

    def round_(timestep: Any, key: PRNGKeyArray) -> Any:
        def step(carry: tuple, key: PRNGKeyArray) -> tuple:
            timestep, total = carry
            actions = jax.random.randint(key, (envs,), 0, env.num_actions(params))
            timestep = jax.vmap(env.step, in_axes=(None, 0, 0))(params, timestep, actions)
            seen = timestep.observation.sum() + timestep.reward.sum().astype(jnp.int32)
            return (timestep, total + seen), None

        timestep, total = timestep
        return jax.lax.scan(step, (timestep, total), jax.random.split(key, steps))[0]

    keys = jax.random.split(jax.random.key(seed), ROUNDS + 2)
    reset = jax.jit(jax.vmap(env.reset, in_axes=(None, 0)))
    timestep = reset(params, jax.random.split(keys[0], envs))
    return measure(round_, (timestep, jnp.int32(0)), keys[1:], envs * steps)
