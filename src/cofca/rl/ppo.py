"""Proximal policy optimisation, from top to bottom: trajectories, advantages, the clipped objective, the update.

`refresh` makes levels, `train` collects and learns; both take many seeds side by side. Only numbers leave the compiled
program.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Bool, Float, Int32, Key, PRNGKeyArray, Shaped, UInt32

from cofca.agents.base import Agent, Memory
from cofca.agents.decide import Chances, Evaluation, decide, draw_chances, evaluate_actions, remember
from cofca.agents.distribution import Decision
from cofca.agents.fused import encode_all, fuse, read_all_lines
from cofca.agents.product import joint
from cofca.envs.autoreset import AutoReset, Playing
from cofca.envs.base import Environment
from cofca.envs.packed import Packed, PackedEnvironment, pack, shapes_of, unpack
from cofca.rl.config import PPOConfig
from cofca.rl.level_sampler import LevelSampler, count_success, draw_retries, new_pools, next_level, no_levels
from cofca.rl.unroll import unroll
from cofca.utils.loops import compute_where

Metrics = dict[str, Shaped[Array | np.ndarray, "..."]]


class Setup(NamedTuple):
    """What does not change while training."""

    env: Environment
    params: Any
    """Of the training levels."""
    config: PPOConfig
    updates: int
    """In the whole training: the schedules end there."""

    @property
    def packed(self) -> PackedEnvironment:
        """The environment with packed states."""
        return PackedEnvironment(self.env, self.params)

    @property
    def auto(self) -> AutoReset:
        """The environments of one seed."""
        return AutoReset(self.packed, self.config.envs)


class Learner(NamedTuple):
    """Everything that training carries from one update to the next: save it and training goes on bit for bit."""

    key: Key[Array, ""]
    agent: Agent
    optimizer: Any
    memory: Memory
    levels: LevelSampler
    update: Int32[Array, ""]


PERSONAL = ("agent", "optimizer", "memory")
"""The parts of a learner that differ from agent to agent."""


class Rollout(NamedTuple):
    """What was seen, decided and gained, [steps, envs, ...]."""

    obs: Any
    memory: Memory
    decision: Decision
    response: Array
    log_prob: Float[Array, "steps envs"]
    value: Float[Array, "steps envs"]
    reward: Float[Array, "steps envs"]
    terminated: Bool[Array, "steps envs"]
    truncated: Bool[Array, "steps envs"]
    final_state: Any
    """After the step, before a reset."""
    final_hidden: Float[Array, "steps envs hidden"]
    level: UInt32[Array, "steps envs words"]
    """The key of the level."""
    slot: Int32[Array, "steps envs"]
    """After the last step of an episode, the place of the next level in the pool."""
    fresh: Bool[Array, "steps envs"]
    """Whether the level is neither replayed nor met in an earlier rollout of the same pool."""
    transitions: Array
    """How often each kind of transition happened in the episode so far."""

    @property
    def done(self) -> Bool[Array, "..."]:
        """Where an episode ended."""
        return self.terminated | self.truncated


def optimizer(setup: Setup) -> optax.GradientTransformation:
    """Adam with a linear schedule, after clipping the norm of the gradient. All parameters are one vector: to an
    accelerator one long array is as quick as any of the many short ones."""
    config = setup.config
    rate = _linear(config.learning_rate, config.final_learning_rate, setup.updates * config.epochs * config.minibatches)
    return optax.chain(optax.clip_by_global_norm(config.gradient_norm), optax.adam(rate, eps=config.adam_epsilon))


def _linear(start: float, end: float | None, steps: int) -> optax.Schedule:
    return optax.linear_schedule(start, start if end is None else end, steps)


def begin(keys: Key[Array, " seeds"], agents: Agent, setup: Setup) -> Learner:
    """Learners that have learned nothing yet, one a seed. They start to play with their first pool of levels."""

    def one(key: PRNGKeyArray, agent: Agent) -> Learner:
        memory = jax.vmap(lambda _: agent.initial_memory())(jnp.arange(setup.config.envs))
        state = optimizer(setup).init(ravel_pytree(agent)[0])
        return Learner(key, agent, state, memory, no_levels(setup.packed, setup.config), jnp.int32(0))

    return jax.jit(jax.vmap(one))(keys, agents)


@partial(jax.jit, static_argnames="setup", donate_argnames="learners")
def train(learners: Learner, setup: Setup) -> tuple[Learner, Metrics]:
    """As many updates as a pool of levels lasts. Metrics are [updates, seeds]."""
    one = jax.vmap(partial(update, setup=setup))
    return jax.lax.scan(lambda now, _: one(now), learners, None, length=setup.config.updates_per_pool)


def refresh(learners: Learner, setup: Setup, make: Callable[[Learner], Learner] | None = None) -> Learner:
    """A new pool of levels for each seed. `make` is `new_levels` where it has been compiled already."""
    make = make or partial(new_levels, setup=setup)
    return make(anonymous(learners))._replace(**{name: getattr(learners, name) for name in PERSONAL})


def anonymous(learners: Learner) -> Learner:
    """Without who learns: making levels does not depend on it, so all agents share that program."""
    nobody: Any = dict.fromkeys(PERSONAL)
    return learners._replace(**nobody)


@partial(jax.jit, static_argnames="setup", donate_argnames="learners")
def new_levels(learners: Learner, setup: Setup) -> Learner:
    """Levels for each seed: fresh ones and some that were failed."""
    keys, fresh_keys, take_keys = jax.vmap(lambda key: jax.random.split(key, 3), out_axes=1)(learners.key)
    levels = new_pools((fresh_keys, take_keys), learners.levels, learners.update == 0, setup.packed, setup.config)
    return learners._replace(key=keys, levels=levels)


def update(learner: Learner, setup: Setup) -> tuple[Learner, Metrics]:
    """Collect steps and learn from them."""
    learner, rollout = collect_trajectories(learner, setup)
    next_values = bootstrap_values(with_precision(learner.agent, setup.config), rollout, setup)
    advantages, returns = gae(rollout, next_values, setup.config)
    learner, losses = learn(learner, rollout, advantages, returns, setup)
    won = rollout.reward > 0
    levels = count_success(learner.levels, rollout.level, rollout.done, rollout.fresh, won, setup.config)
    metrics = {**losses, **episode_metrics(rollout), "waiting": levels.failures.filled.sum()}
    return learner._replace(levels=levels, update=learner.update + 1), metrics


def collect_trajectories(learner: Learner, setup: Setup) -> tuple[Learner, Rollout]:
    """Let the agent play in all environments."""
    auto, params, levels = setup.auto, setup.params, learner.levels
    config = setup.config
    agent = with_precision(learner.agent, config)
    shape = config.steps, config.envs
    first, met, pool = agent.initial_memory(), levels.met, levels.pool
    form: Any = None

    def one(carry: tuple[Playing, Array, Memory, Array, Array], now: tuple[Array, Chances, Any]) -> tuple[tuple, tuple]:
        (playing, turn, memory, level, known), (key, chances, retry) = carry, now
        state = playing.state
        respond = partial(auto.env.respond, key, state, params=params)
        step = decide(agent, auto.env.observe(state, params), memory, chances, respond)
        slot, next_turn = next_level(levels, turn, retry, auto, config)
        playing, end = auto.advance(key, playing, step.decision.action, step.response, pool.states, params, slot)
        log_prob, _ = joint(step.policy, step.decision, config.product)
        taken = Rollout(
            (), memory, step.decision, step.response, log_prob, step.value.astype(jnp.float32), end.reward,
            end.terminated, end.truncated, (), step.memory.hidden, level, playing.slot, ~known, end.info.transitions,
        )  # fmt: skip
        new = next_turn, first, pool.keys[playing.slot], met[playing.slot]
        after = jax.tree.map(partial(jnp.where, taken.done), new, (turn, step.memory, level, known))
        return (playing, *after), (state, end.final_state, taken)

    def all_envs(carry: tuple, now: tuple) -> tuple[tuple, Packed]:
        nonlocal form
        carry, step = jax.vmap(one)(carry, now)
        form = shapes_of(step, axes=1)
        return carry, pack(step, shape[1:])

    key, env_key, chance_key = jax.random.split(learner.key, 3)
    randomness = (
        jax.random.split(env_key, shape),
        draw_chances(chance_key, shape),
        draw_retries(chance_key, shape, config),
    )
    start = levels.playing, levels.turn, learner.memory, levels.level, levels.known
    (playing, turn, memory, level, known), packed = jax.lax.scan(all_envs, start, randomness)
    states, final_states, rollout = unpack(packed, form, shape)
    # States are smaller than observations: these are made again, all at once.
    observe = jax.vmap(jax.vmap(partial(auto.env.observe, params=params)))
    rollout = rollout._replace(obs=observe(states), final_state=final_states)
    started = jnp.where(rollout.done, rollout.slot, config.levels)
    pool = pool._replace(played=pool.played.at[started].set(True, mode="drop"))
    levels = levels._replace(pool=pool, playing=playing, turn=turn, level=level, known=known)
    return learner._replace(key=key, memory=memory, levels=levels), rollout


def bootstrap_values(agent: Agent, rollout: Rollout, setup: Setup) -> Float[Array, "steps envs"]:
    """The value of what comes after each step: nothing after a terminated episode; of one that was cut off, the value
    of its final observation. The others go on with the next step, whose value is known unless the rollout ends."""

    def value(state: Any, memory: Memory) -> Float[Array, ""]:
        obs = setup.packed.observe(state, setup.params)
        return agent.actor_critic(agent.forward(obs, memory))[1].astype(jnp.float32)

    memory = remember(rollout.memory, rollout.decision, rollout.response, rollout.final_hidden)
    known = jnp.roll(rollout.value, -1, axis=0)
    ends = rollout.truncated.at[-1].set(True) & ~rollout.terminated
    return jnp.where(rollout.terminated, 0.0, compute_where(ends, value, (rollout.final_state, memory), known))


def gae(
    rollout: Rollout, next_values: Float[Array, "steps envs"], config: PPOConfig
) -> tuple[Float[Array, "steps envs"], Float[Array, "steps envs"]]:
    """Generalised advantages and returns. An episode that was cut off is bootstrapped from what would come next."""
    values = rollout.value
    errors = rollout.reward + config.discount * next_values - values

    def back(advantage: Array, now: tuple[Array, Array]) -> tuple[Array, Array]:
        error, done = now
        advantage = error + config.discount * config.gae * jnp.where(done, 0.0, advantage)
        return advantage, advantage

    nothing = jnp.zeros_like(values[0])
    _, advantages = jax.lax.scan(back, nothing, (errors, rollout.done), reverse=True, unroll=True)
    return advantages, advantages + values


def learn(
    learner: Learner, rollout: Rollout, advantages: Array, returns: Array, setup: Setup
) -> tuple[Learner, Metrics]:
    """Several passes of gradient steps over minibatches of environments, with time kept whole."""
    config = setup.config
    step = optimizer(setup)
    entropy_weight = _linear(config.entropy, config.final_entropy, setup.updates)(learner.update)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)

    weights, agent_of = ravel_pytree(learner.agent)

    def minibatch(carry: tuple[Array, Any], envs: Int32[Array, " some"] | None) -> tuple[tuple[Array, Any], Metrics]:
        weights, state = carry
        part, adv, ret = rollout, advantages, returns
        if envs is not None:
            part, adv, ret = jax.tree.map(lambda leaf: leaf[:, envs], (rollout, advantages, returns))
        found, metrics = jax.grad(loss, has_aux=True)(agent_of(weights), part, adv, ret, entropy_weight, config)
        gradient = ravel_pytree(found)[0]
        changes, state = step.update(gradient, state)
        metrics["gradient_norm"] = jnp.linalg.norm(gradient)
        return (weights + changes, state), metrics

    key, *keys = jax.random.split(learner.key, config.epochs + 1)
    batches = None
    if config.minibatches > 1:
        orders = jnp.stack([jax.random.permutation(key, config.envs) for key in keys])
        batches = orders.reshape(config.epochs * config.minibatches, -1)
    start = weights, learner.optimizer
    (weights, state), metrics = jax.lax.scan(minibatch, start, batches, config.epochs * config.minibatches)
    return learner._replace(key=key, agent=agent_of(weights), optimizer=state), jax.tree.map(jnp.mean, metrics)


def loss(
    agent: Agent, rollout: Rollout, advantages: Array, returns: Array, entropy_weight: Array, config: PPOConfig
) -> tuple[Float[Array, ""], Metrics]:
    """The clipped objective, the value's error and the entropy."""
    now = evaluate_rollout(with_precision(agent, config), rollout, config.product, config.columns)
    log_ratio = now.log_prob - rollout.log_prob
    ratio = jnp.exp(log_ratio)
    clipped = jnp.clip(ratio, 1 - config.clip, 1 + config.clip)
    objective = jnp.minimum(ratio * advantages, clipped * advantages).mean()
    near = rollout.value + jnp.clip(now.value - rollout.value, -config.clip, config.clip)
    error = jnp.maximum((now.value - returns) ** 2, (near - returns) ** 2).mean()
    entropy = now.entropy.mean()
    total = -objective + config.value * error - entropy_weight * entropy
    metrics: Metrics = {
        "loss": total,
        "value_error": error,
        "entropy": entropy,
        "gate": now.gate.mean(),
        "kl": (ratio - 1 - log_ratio).mean(),
        "clipped": (abs(ratio - 1) > config.clip).mean(),
    }
    return total, metrics


def evaluate_rollout(agent: Agent, rollout: Rollout, product: bool = False, columns: bool = False) -> Evaluation:
    """Evaluate all decisions again, each in the recurrent state that the agent would have reached."""
    features = encode_all(agent, rollout.obs, rollout.memory)
    hidden, decision = rollout.memory.hidden, rollout.decision
    if agent.hidden_size:
        hidden = unroll(agent, features, (decision.action, rollout.response), rollout.done, hidden[0])
    features = read_all_lines(agent, jax.vmap(jax.vmap(agent.core))(features, hidden))
    evaluate = partial(evaluate_actions, agent, product=product, columns=columns)
    return jax.vmap(jax.vmap(evaluate))(features, decision, rollout.response)


def episode_metrics(rollout: Rollout) -> Metrics:
    """Count the episodes that ended."""
    done, fresh = rollout.done, rollout.done & rollout.fresh
    won = rollout.reward > 0
    kinds = fresh[..., None] & (rollout.transitions > 0)
    return {
        "episodes": fresh.sum(),
        "successes": (fresh & won).sum(),
        "replayed": (done & ~rollout.fresh).sum(),
        "replayed_successes": (done & ~rollout.fresh & won).sum(),
        "episodes_by_kind": kinds.sum(axis=(0, 1)),
        "successes_by_kind": (kinds & won[..., None]).sum(axis=(0, 1)),
    }


def with_precision(agent: Agent, config: PPOConfig) -> Agent:
    """The agent in the precision it computes in, fused for many time steps."""
    return fuse(jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), agent) if config.bfloat16 else agent)
