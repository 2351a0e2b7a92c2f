"""Proximal policy optimisation, from top to bottom: levels, rollouts, advantages, the clipped objective, the update.

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

from cofca.agents.base import (
    Agent,
    Chances,
    Decision,
    Judgement,
    Memory,
    choose_action,
    choose_move,
    draw_chances,
    judge,
    masked,
    weigh,
)
from cofca.envs.autoreset import AutoReset, Playing, make_pool
from cofca.envs.base import Environment
from cofca.envs.packed import Packed, PackedEnvironment, pack, shapes_of, unpack
from cofca.rl.config import PPOConfig
from cofca.rl.failure_buffer import Failures, distinct, no_failures, put, take
from cofca.rl.unroll import live_through

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


class Pool(NamedTuple):
    """The levels of a while, and which of them have been played."""

    states: Packed
    """At the start of the levels."""
    keys: UInt32[Array, "levels words"]
    replayed: Bool[Array, " levels"]
    """Which come out of the failure buffer."""
    played: Bool[Array, " levels"]


class Learner(NamedTuple):
    """Everything that training carries from one update to the next: save it and training goes on bit for bit."""

    key: Key[Array, ""]
    agent: Agent
    optimizer: Any
    pool: Pool
    playing: Playing
    memory: Memory
    level: UInt32[Array, "envs words"]
    """The keys of the levels that are being played, perhaps of an earlier pool."""
    known: Bool[Array, " envs"]
    """Who is playing a level that is not fresh."""
    failures: Failures
    success: Float[Array, ""]
    """Moving success rate on fresh levels."""
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
    final_obs: Any
    """What is seen after the step, before a reset."""
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
    per_update = config.epochs * config.minibatches
    end = config.learning_rate if config.final_learning_rate is None else config.final_learning_rate
    rate = optax.linear_schedule(config.learning_rate, end, setup.updates * per_update)
    return optax.chain(optax.clip_by_global_norm(config.gradient_norm), optax.adam(rate, eps=config.adam_epsilon))


def begin(keys: Key[Array, " seeds"], agents: Agent, setup: Setup) -> Learner:
    """Learners that have learned nothing yet, one a seed. They start to play with their first pool of levels."""
    envs, levels = setup.config.envs, setup.config.levels

    def one(key: PRNGKeyArray, agent: Agent) -> Learner:
        no = jnp.zeros(levels, bool)
        pool = Pool(setup.packed.no_states(levels), jnp.zeros((levels, 2), jnp.uint32), replayed=no, played=no)
        playing = Playing(setup.packed.no_states(envs), jnp.zeros(envs, jnp.int32))
        memory = _tile(agent.initial_memory(), envs)
        failures = no_failures(setup.config.failures)
        state = optimizer(setup).init(ravel_pytree(agent)[0])
        level, known = jnp.zeros((envs, 2), jnp.uint32), jnp.zeros(envs, bool)
        return Learner(key, agent, state, pool, playing, memory, level, known, failures, jnp.float32(0), jnp.int32(0))

    return jax.jit(jax.vmap(one))(keys, agents)


@partial(jax.jit, static_argnames="setup", donate_argnames="learners")
def train(learners: Learner, setup: Setup) -> tuple[Learner, Metrics]:
    """As many updates as a pool of levels lasts. Metrics are [updates, seeds]."""
    one = jax.vmap(partial(update, setup=setup))
    return jax.lax.scan(lambda now, _: one(now), learners, None, length=setup.config.updates_per_pool)


def refresh(learners: Learner, setup: Setup, make: Callable[[Learner], Learner] | None = None) -> Learner:
    """A new pool of levels for each seed. `make` is `new_pool` where it has been compiled already."""
    make = make or partial(new_pool, setup=setup)
    return make(anonymous(learners))._replace(**{name: getattr(learners, name) for name in PERSONAL})


def anonymous(learners: Learner) -> Learner:
    """Without who learns: making levels does not depend on it, so all agents share that program."""
    nobody: Any = dict.fromkeys(PERSONAL)
    return learners._replace(**nobody)


@partial(jax.jit, static_argnames="setup", donate_argnames="learners")
def new_pool(learners: Learner, setup: Setup) -> Learner:
    """Levels for each seed: fresh ones and some that were failed."""

    def keys_of(learner: Learner) -> tuple[Learner, Array, Array]:
        key, fresh_key, take_key = jax.random.split(learner.key, 3)
        fresh = jax.random.key_data(jax.random.split(fresh_key, setup.config.levels))
        failures, pool = learner.failures, learner.pool
        if not setup.config.failures:
            return learner._replace(key=key), fresh, jnp.zeros(setup.config.levels, bool)
        failures = distinct(put(failures, pool.keys, pool.replayed & ~pool.played))
        probability = setup.config.failure_probability * learner.success
        failures, keys, replayed = take(take_key, failures, fresh, probability)
        return learner._replace(key=key, failures=failures), keys, replayed

    learners, keys, replayed = jax.vmap(keys_of)(learners)
    # All seeds' levels are made in one batch.
    made = make_pool(setup.packed, jax.random.wrap_key_data(keys.reshape(-1, keys.shape[-1])), setup.params)
    states = jax.tree.map(lambda leaf: leaf.reshape(*replayed.shape, *leaf.shape[1:]), made)
    pool = Pool(states, keys, replayed, jnp.zeros_like(replayed))
    return jax.vmap(partial(_start, setup=setup))(learners._replace(pool=pool))


def _start(learner: Learner, setup: Setup) -> Learner:
    """In the first pool, start to play; in a later one, go on."""
    _, playing = setup.auto.reset(learner.pool.states, setup.params)
    new = playing, learner.pool.keys[playing.slot]
    now = jax.tree.map(partial(jnp.where, learner.update == 0), new, (learner.playing, learner.level))
    return learner._replace(playing=now[0], level=now[1])


def update(learner: Learner, setup: Setup) -> tuple[Learner, Metrics]:
    """Collect steps and learn from them."""
    learner, rollout = collect(learner, setup)
    following = foresee(compute(learner.agent, setup.config), rollout)
    advantages, returns = estimate(rollout, following, setup.config)
    learner, losses = learn(learner, rollout, advantages, returns, setup)
    learner, episodes = account(learner, rollout, setup.config)
    return learner._replace(update=learner.update + 1), {**losses, **episodes}


def collect(learner: Learner, setup: Setup) -> tuple[Learner, Rollout]:
    """Let the agent play in all environments."""
    auto, params, pool = setup.auto, setup.params, learner.pool
    agent = compute(learner.agent, setup.config)
    shape = setup.config.steps, setup.config.envs
    first = agent.initial_memory()
    met = pool.replayed | pool.played
    form: Any = None

    def one(carry: tuple[Playing, Memory, Array, Array], now: tuple[Array, Chances]) -> tuple[tuple, Rollout]:
        (playing, memory, level, known), (key, chances) = carry, now
        state, obs = playing.state, auto.env.observe(playing.state, params)
        view = agent.look(obs, memory)
        logits = masked(agent.policy(view), obs)
        action = choose_action(chances, logits)
        response = auto.env.respond(key, state, action, params)
        movement = agent.movement(view, action, response)
        decision = Decision(action, *choose_move(chances, movement))
        judgement = weigh(logits, movement, agent.value(view), decision)
        after = agent.remember(view, memory, decision, response)
        playing, end = auto.advance(key, playing, action, response, pool.states, params)
        step = Rollout(
            state, memory, decision, response, judgement.log_prob, judgement.value, end.reward, end.terminated,
            end.truncated, end.final_state, after.hidden, level, playing.slot, ~known, end.info.transitions,
        )  # fmt: skip
        new = first, pool.keys[playing.slot], met[playing.slot]
        return (playing, *jax.tree.map(partial(jnp.where, step.done), new, (after, level, known))), step

    def all_envs(carry: tuple, now: tuple[Array, Chances]) -> tuple[tuple, Packed]:
        nonlocal form
        carry, step = jax.vmap(one)(carry, now)
        form = shapes_of(step, axes=1)
        return carry, pack(step, shape[1:])

    key, env_key, chance_key = jax.random.split(learner.key, 3)
    randomness = jax.random.split(env_key, shape), draw_chances(chance_key, shape)
    start = learner.playing, learner.memory, learner.level, learner.known
    (playing, memory, level, known), packed = jax.lax.scan(all_envs, start, randomness)
    rollout = unpack(packed, form, shape)
    # States are smaller than observations: these are made again, all at once.
    observe = jax.vmap(jax.vmap(partial(auto.env.observe, params=params)))
    rollout = rollout._replace(obs=observe(rollout.obs), final_obs=observe(rollout.final_obs))
    started = jnp.where(rollout.done, rollout.slot, setup.config.levels)
    pool = pool._replace(played=pool.played.at[started].set(True, mode="drop"))
    learner = learner._replace(key=key, playing=playing, memory=memory, level=level, known=known, pool=pool)
    return learner, rollout


def foresee(agent: Agent, rollout: Rollout) -> Float[Array, "steps envs"]:
    """The value of what comes after each step: nothing after a terminated episode; of one that was cut off, the value
    of its final observation."""

    def value(obs: Any, memory: Memory) -> Float[Array, ""]:
        return agent.value(agent.look(obs, memory)).astype(jnp.float32)

    decision = rollout.decision
    pointer = jnp.where(decision.gate, decision.target, rollout.memory.pointer)
    before = jnp.stack([decision.action, rollout.response.astype(jnp.int32)], axis=-1) + 1
    values = jax.vmap(jax.vmap(value))(rollout.final_obs, Memory(pointer, rollout.final_hidden, before))
    return jnp.where(rollout.terminated, 0.0, values)


def estimate(
    rollout: Rollout, following: Float[Array, "steps envs"], config: PPOConfig
) -> tuple[Float[Array, "steps envs"], Float[Array, "steps envs"]]:
    """Advantages and returns. An episode that was cut off is bootstrapped from what would have come next."""
    values = rollout.value
    errors = rollout.reward + config.discount * following - values

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
    progress = learner.update / setup.updates
    final = config.entropy if config.final_entropy is None else config.final_entropy
    entropy_weight = config.entropy + (final - config.entropy) * progress
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
    now = judge_all(compute(agent, config), rollout)
    log_ratio = now.log_prob - rollout.log_prob
    ratio = jnp.exp(log_ratio)
    clipped = jnp.clip(ratio, 1 - config.clip, 1 + config.clip)
    objective = jnp.minimum(ratio * advantages, clipped * advantages).mean()
    near = rollout.value + jnp.clip(now.value - rollout.value, -config.clip, config.clip)
    error = jnp.maximum((now.value - returns) ** 2, (near - returns) ** 2).mean()
    entropy, gate = now.entropy.mean(), now.gate.mean()
    total = -objective + config.value * error - entropy_weight * entropy + config.gate_penalty * gate
    metrics: Metrics = {
        "loss": total,
        "value_error": error,
        "entropy": entropy,
        "gate": gate,
        "kl": (ratio - 1 - log_ratio).mean(),
        "clipped": (abs(ratio - 1) > config.clip).mean(),
    }
    return total, metrics


def judge_all(agent: Agent, rollout: Rollout) -> Judgement:
    """Weigh all decisions again, each in the recurrent state that the agent would have reached."""
    percepts = agent.perceive_all(rollout.obs, rollout.memory)

    hidden = rollout.memory.hidden
    if agent.hidden_size:
        hidden = live_through(agent, percepts, rollout.done, hidden[0])
    views = agent.survey_all(jax.vmap(jax.vmap(agent.recall))(percepts, hidden))
    return jax.vmap(jax.vmap(partial(judge, agent)))(views, rollout.obs, rollout.decision, rollout.response)


def account(learner: Learner, rollout: Rollout, config: PPOConfig) -> tuple[Learner, Metrics]:
    """Count the episodes that ended, and put those that failed into the buffer."""
    done, fresh = rollout.done, rollout.done & rollout.fresh
    won = rollout.reward > 0
    episodes, successes = fresh.sum(), (fresh & won).sum()
    share = successes / jnp.maximum(episodes, 1)
    success = learner.success + config.success_smoothing * jnp.where(episodes > 0, share - learner.success, 0.0)
    failures = learner.failures
    if config.failures:
        failures = put(failures, rollout.level.reshape(-1, 2), (done & ~won).reshape(-1))
    kinds = fresh[..., None] & (rollout.transitions > 0)
    metrics: Metrics = {
        "episodes": episodes,
        "successes": successes,
        "replayed": (done & ~rollout.fresh).sum(),
        "waiting": failures.filled.sum(),
        "episodes_by_kind": kinds.sum(axis=(0, 1)),
        "successes_by_kind": (kinds & won[..., None]).sum(axis=(0, 1)),
    }
    return learner._replace(success=success, failures=failures), metrics


def compute(agent: Agent, config: PPOConfig) -> Agent:
    """The agent in the precision it computes in, prepared for many time steps."""
    agent = jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), agent) if config.bfloat16 else agent
    return agent.prepared()


def _tile(memory: Memory, number: int) -> Memory:
    return jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (number, *leaf.shape)), memory)
