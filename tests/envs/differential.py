"""Step a compiled world and a plain-Python one side by side and name the first place where they part."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from cofca.envs.base import Environment

STEPS_BEYOND_THE_END = 3
"""A finished episode must stay as it is: so many further steps are compared."""


class Deed(NamedTuple):
    """What was done in a step."""

    action: Any
    response: Any
    witness: Any
    """Something else that the compiled world said before the step, for the plain one to confirm."""


class Trace(NamedTuple):
    """What was done and what came of it, [steps, episodes, ...]."""

    deed: Deed
    state: Any
    reward: Any


class Divergence(Exception):  # noqa: N818
    """The worlds part in something that is no part of the state."""


class Domain(NamedTuple):
    """What a comparison has to know of a domain."""

    env: Environment
    styles: tuple[int, ...]
    """Ways to play, for one episode after the other in turn."""
    choose: Callable[[jax.Array, Any, jax.Array, Any], Deed]
    """What is done, given a key, a state, a style and the parameters."""
    simulator: Callable[[Any, Any], Any]
    """The plain world at the start of a level of lists and numbers, given the parameters too."""
    names: tuple[str, ...]
    """What the arrays of a state are called, the level left out."""
    fields: Callable[[Any], list[Any]]
    """The simulator's state in the form and order of these arrays."""
    follow: Callable[[Any, Deed, dict[str, Any]], float]
    """Do the same in the simulator, given the compiled world's state after it; the reward."""


class Kind(NamedTuple):
    """One kind of levels, and the parameters under which they are made and played."""

    make: Callable[[jax.Array, int, Any], Any]
    params: Any


class Size(NamedTuple):
    """How much is compared at once."""

    episodes: int
    steps: int


def assert_agreement(
    domain: Domain,
    kinds: Sequence[Kind],
    size: Size,
    total: int,
    first_seed: int = 0,
    report: Callable[[int], None] = lambda agreed: None,
) -> None:
    """Compare batch after batch of all kinds until so many steps agree, reporting how many do so far."""
    agreed = 0
    for seed in count(first_seed):
        agreed += sum(_agreed(domain, kind, size, seed) for kind in kinds)
        report(agreed)
        if agreed >= total:
            return


def soak(domain: Domain, kinds: Sequence[Kind], size: Size) -> None:
    """Compare ten million steps of episodes that no other test plays, and show how it goes."""

    def show(agreed: int) -> None:
        print(f"\r{agreed:,} steps without divergence", end="", flush=True)

    assert_agreement(domain, kinds, size, total=10_000_000, first_seed=1000, report=show)


def _agreed(domain: Domain, kind: Kind, size: Size, seed: int) -> int:
    """Compare a batch of episodes; the number of steps compared."""
    key = jax.random.key(seed)
    levels = jax.jit(kind.make, static_argnums=(1, 2))(key, size.episodes, kind.params)
    compared = compare(domain, key, levels, kind.params, size.steps)
    found = compared.divergences
    assert not found, f"seed {seed}: {len(found)} of {size.episodes} episodes diverge; first: {found[0]}"
    return compared.steps


class Comparison(NamedTuple):
    """How many steps of running episodes were compared, and the first divergence of each episode that has one."""

    steps: int
    divergences: list[str]


def compare(domain: Domain, key: jax.Array, levels: Any, params: Any, steps: int) -> Comparison:
    """Play these levels in both worlds."""
    first, played = trace(domain, key, levels, params, steps)
    # Random keys can't be turned into numbers, and nothing here depends on them.
    keyless = first.level._replace(key=jnp.zeros(first.line.shape, bool))
    first, played = jax.device_get((first._replace(level=keyless), played))
    replays = [_replay(domain, first, played, episode, params) for episode in range(first.line.size)]
    found = [f"episode {episode}, {problem}" for episode, (_, problem) in enumerate(replays) if problem]
    return Comparison(sum(steps for steps, _ in replays), found)


@partial(jax.jit, static_argnames=("domain", "params", "steps"))
def trace(domain: Domain, key: jax.Array, levels: Any, params: Any, steps: int) -> tuple[Any, Trace]:
    """Play all levels in the compiled world; episodes that end are stepped on."""
    env = domain.env
    first = jax.vmap(partial(env.start, params=params))(levels)
    styles = jnp.resize(jnp.array(domain.styles), first.line.shape)

    def step(states: Any, key: jax.Array) -> tuple[Any, Trace]:
        keys = jax.random.split(key, styles.size)
        deed = jax.vmap(partial(domain.choose, params=params))(keys, states, styles)
        after, outcome = jax.vmap(partial(env.advance, params=params))(keys, states, deed.action, deed.response)
        slim = after._replace(level=jnp.zeros(styles.size, bool))
        return after, Trace(deed, slim, outcome.reward)

    return first, jax.lax.scan(step, first, jax.random.split(key, steps))[1]


def _replay(domain: Domain, first: Any, played: Trace, episode: int, params: Any) -> tuple[int, str | None]:
    """Replay one episode, and a few steps beyond its end, in the plain simulator: steps compared, what is wrong."""
    simulator = domain.simulator(jax.tree.map(lambda leaf: leaf[episode].tolist(), first.level), params)
    begin = [leaf[episode].tolist() for leaf in jax.tree.leaves(first[1:])]
    if begin != (reached := domain.fields(simulator)):
        return 0, f"start: {_difference(domain.names, begin, reached)}"
    arrays = jax.tree.leaves((played.reward, played.state[1:]))
    outcomes = zip(*(leaf[:, episode].tolist() for leaf in arrays), strict=True)
    deeds = map(Deed._make, zip(*(leaf[:, episode].tolist() for leaf in played.deed), strict=True))
    beyond = 0
    for step, (deed, outcome) in enumerate(zip(deeds, outcomes, strict=True)):
        problem = _follow(domain, simulator, deed, list(outcome))
        if problem:
            return step, f"step {step}, action {deed.action}, response {deed.response}: {problem}"
        beyond += simulator.status != "running"
        if beyond > STEPS_BEYOND_THE_END:
            return step - STEPS_BEYOND_THE_END, None
    return step + 1, None


def _follow(domain: Domain, simulator: Any, deed: Deed, outcome: list[Any]) -> str | None:
    """Do one step in the simulator; what comes out differently than the reward and the state given."""
    after = dict(zip(domain.names, outcome[1:], strict=True))
    try:
        reached = [domain.follow(simulator, deed, after), *domain.fields(simulator)]
    except Divergence as parting:
        return str(parting)
    return None if outcome == reached else _difference(("reward", *domain.names), outcome, reached)


def _difference(names: Sequence[str], ours: list[Any], theirs: list[Any]) -> str:
    pairs = zip(names, ours, theirs, strict=True)
    return "; ".join(f"{name} is {mine}, reference {other}" for name, mine, other in pairs if mine != other)
