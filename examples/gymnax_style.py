"""Proximal policy optimisation compiled as a whole, in the manner of PureJaxRL, which knows gymnax's API only.

Between two calls of the compiled program only the levels change: they are the environment's `params`.
On instructions of one line success rises from that of random choices, 0.22, to between 0.994 and 0.998 within 100,000
steps (three seeds).
"""

from argparse import ArgumentParser
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

from cofca.envs.minecraft import Minecraft, MinecraftParams
from cofca.interop.gymnax import GymnaxEnvironment, LevelPool

ENVS, STEPS, UPDATES, LEVELS = 64, 32, 4, 512
"""Environments side by side, their steps in an update, updates in a call, and the new levels of each call."""
EPOCHS, MINIBATCHES = 4, 4
DISCOUNT, GAE, CLIP = 0.99, 0.95, 0.2
ENTROPY, VALUE = 0.01, 0.5
"""Weights of the entropy and of the value's error in the loss."""
OPTIMIZER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3))

Weights = list[tuple[Array, Array]]
"""A matrix and a bias for each layer."""


class Learner(NamedTuple):
    """What is carried from one update to the next."""

    key: PRNGKeyArray
    weights: Weights
    optimizer: Any
    obs: Float[Array, "envs numbers"]
    state: Any


class Rollout(NamedTuple):
    """What was seen, done and gained."""

    obs: Float[Array, "steps envs numbers"]
    action: Int[Array, "steps envs"]
    log_prob: Float[Array, "steps envs"]
    value: Float[Array, "steps envs"]
    reward: Float[Array, "steps envs"]
    done: Bool[Array, "steps envs"]


def begin(key: PRNGKeyArray, params: LevelPool, env: GymnaxEnvironment) -> Learner:
    """A learner that has learned nothing, and its environments."""
    key, reset_key, *weight_keys = jax.random.split(key, 5)
    sizes = *env.observation_space(params).shape, 128, 128, env.action_space(params).n + 1
    make = jax.nn.initializers.lecun_normal()
    weights = [(make(key, sizes[n : n + 2]), jnp.zeros(sizes[n + 1])) for n, key in enumerate(weight_keys)]
    obs, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(reset_key, ENVS), params)
    return Learner(key, weights, OPTIMIZER.init(weights), obs, state)


def look(weights: Weights, obs: Float[Array, "*batch numbers"]) -> tuple[Array, Array]:
    """Log-probabilities of the actions, and the value of what is seen."""
    for matrix, bias in weights[:-1]:
        obs = jax.nn.relu(obs @ matrix + bias)
    out = obs @ weights[-1][0] + weights[-1][1]
    return jax.nn.log_softmax(out[..., :-1]), out[..., -1]


def of_action(log_probs: Float[Array, "*batch actions"], action: Int[Array, "*batch"]) -> Float[Array, "*batch"]:
    """The log-probability of the action that was chosen."""
    return jnp.take_along_axis(log_probs, action[..., None], axis=-1)[..., 0]


def collect(learner: Learner, params: LevelPool, env: GymnaxEnvironment) -> tuple[Learner, Rollout]:
    """Play in all environments."""

    def one(now: Learner, _: None) -> tuple[Learner, Rollout]:
        key, action_key, step_key = jax.random.split(now.key, 3)
        log_probs, value = look(now.weights, now.obs)
        action = jax.random.categorical(action_key, log_probs)
        keys = jax.random.split(step_key, ENVS)
        obs, state, reward, terminated, truncated, _ = jax.vmap(env.step, in_axes=(0, 0, 0, None))(
            keys, now.state, action, params
        )
        step = Rollout(now.obs, action, of_action(log_probs, action), value, reward, terminated | truncated)
        return now._replace(key=key, obs=obs, state=state), step

    return jax.lax.scan(one, learner, None, STEPS)


def estimate(rollout: Rollout, following: Float[Array, " envs"]) -> Float[Array, "steps envs"]:
    """Generalised advantages, backward from the value of what follows the last step."""

    def back(carry: tuple[Array, Array], now: tuple[Array, Array, Array]) -> tuple[tuple[Array, Array], Array]:
        (advantage, following), (reward, value, done) = carry, now
        error = reward + DISCOUNT * following * ~done - value
        advantage = error + DISCOUNT * GAE * advantage * ~done
        return (advantage, value), advantage

    steps = rollout.reward, rollout.value, rollout.done
    return jax.lax.scan(back, (jnp.zeros_like(following), following), steps, reverse=True)[1]


def loss(weights: Weights, batch: Rollout, advantages: Array, returns: Array) -> Float[Array, ""]:
    """The clipped objective, the value's error and the entropy."""
    log_probs, value = look(weights, batch.obs)
    ratio = jnp.exp(of_action(log_probs, batch.action) - batch.log_prob)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    objective = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages).mean()
    entropy = -(jnp.exp(log_probs) * log_probs).sum(axis=-1).mean()
    return VALUE * jnp.square(value - returns).mean() - objective - ENTROPY * entropy


def learn(learner: Learner, rollout: Rollout) -> Learner:
    """Several passes over the rollout in minibatches."""
    advantages = estimate(rollout, look(learner.weights, learner.obs)[1])
    whole = jax.tree.map(jnp.concatenate, (rollout, advantages, advantages + rollout.value))
    key, *keys = jax.random.split(learner.key, EPOCHS + 1)
    orders = jnp.stack([jax.random.permutation(key, ENVS * STEPS) for key in keys])

    def minibatch(carry: tuple[Weights, Any], some: Int[Array, " batch"]) -> tuple[tuple[Weights, Any], None]:
        weights, optimizer = carry
        gradient = jax.grad(loss)(weights, *jax.tree.map(lambda leaf: leaf[some], whole))
        changes, optimizer = OPTIMIZER.update(gradient, optimizer)
        return (optax.apply_updates(weights, changes), optimizer), None

    start = learner.weights, learner.optimizer
    (weights, optimizer), _ = jax.lax.scan(minibatch, start, orders.reshape(EPOCHS * MINIBATCHES, -1))
    return learner._replace(key=key, weights=weights, optimizer=optimizer)


def updates(learner: Learner, params: LevelPool, env: GymnaxEnvironment) -> tuple[Learner, Float[Array, ""]]:
    """Play and learn several times; the share of episodes that succeeded, each with a reward of 1."""

    def one(now: Learner, _: None) -> tuple[Learner, tuple[Array, Array]]:
        now, rollout = collect(now, params, env)
        return learn(now, rollout), (rollout.reward.sum(), rollout.done.sum())

    learner, (rewards, episodes) = jax.lax.scan(one, learner, None, UPDATES)
    return learner, rewards.sum() / episodes.sum()


def main() -> None:
    """Read the options and train; tell as it goes how many episodes succeed."""
    parser = ArgumentParser(description="Train a small network to follow short instructions.")
    parser.add_argument("--length", type=int, nargs=2, default=(1, 1), help="fewest and most lines of an instruction")
    parser.add_argument("--steps", type=int, default=100_000, help="steps of all environments together")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    env = GymnaxEnvironment(Minecraft(), MinecraftParams(length=options.length), levels=LEVELS)
    first, call = (jax.jit(partial(function, env=env)) for function in (begin, updates))
    key, begin_key = jax.random.split(jax.random.key(options.seed))
    learner, success = first(begin_key, env.default_params), jnp.nan
    per_call = ENVS * STEPS * UPDATES
    for steps in range(per_call, max(per_call, options.steps) + 1, per_call):
        learner, success = call(learner, env.fresh_params(jax.random.fold_in(key, steps)))
        print(f"{steps:>9,} steps  success {success:.3f}", flush=True)
    print(f"success with the last levels: {success:.3f}")


if __name__ == "__main__":
    main()
