"""What makes every seed of CoFCA-R a good one: train a variant of it, or another agent, and print one line of JSON.

    python benchmarks/first_return.py plain --depth 1 --numbers returns=2 --steps 20e6

Success is that of hardened agents on levels of level seed 1, by seed. Several can run side by side as processes.
"""

import argparse
import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.flatten_util import ravel_pytree

from cofca.agents import cofca_r
from cofca.agents.base import Agent
from cofca.agents.cofca_r import CofcaR
from cofca.agents.distribution import PointerPolicy
from cofca.agents.encoders.counting import CountingEncoder
from cofca.agents.encoders.minecraft import CommandHead, Encoding, MinecraftEncoder
from cofca.agents.harden import harden
from cofca.agents.modules.brackets import SOFT, SPREAD, START, Brackets
from cofca.agents.modules.first_return import first_return
from cofca.agents.modules.gate_phi import GatePhi
from cofca.agents.modules.layers import Embedding, Linear
from cofca.envs.minecraft.symbols import CONDITIONS, DEFAULT_CONDITIONS, RESOURCES, LineType, Verb
from cofca.envs.spec import spec_of
from cofca.experiments.build import find_domain
from cofca.experiments.eval_set import EvalSet, played_together
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.specs import Bin
from cofca.rl import ppo
from cofca.rl.config import settled
from cofca.utils.compilation import cache_compilation
from cofca.utils.prng import by_name
from cofca.utils.settings import changed
from cofca.utils.trees import stack

LEVEL_SEED = 1
DEEPEST = 5
ABOUT = {
    "plain": "x without counts",
    "counting": "of the preset",
    "grid": "of the preset, without the inventory; heads may know what is there",
}
TYPES = [kind for kind in LineType if kind != LineType.PADDING]


class GridEncoder(eqx.Module):
    """`CountingEncoder` without the inventory: who sees that iron is held learns to leave *mine iron* because of it,
    which is right in short instructions and wrong at the second *mine iron*. It tells the head whether what a command
    names is there, or held where it is to be sold."""

    encoder: MinecraftEncoder
    size: int = eqx.field(static=True)

    def __init__(self, key: Any, spec: Any, channels: int) -> None:
        self.encoder = MinecraftEncoder(key, spec, channels)
        self.size = channels + spec.planes

    def __call__(self, obs: Any) -> Encoding:
        seen, counts = self.encoder.patches(obs).sum(axis=0), obs.grid.sum(axis=(0, 1))
        on_grid = jnp.minimum(counts[: len(RESOURCES)], 1)
        to_sell = jnp.maximum(on_grid, jnp.minimum(obs.inventory, 1))
        there = [to_sell if verb == Verb.SELL else on_grid for verb in Verb]
        x = jnp.concatenate([seen, counts.astype(seen.dtype)])
        return Encoding(x, jnp.concatenate(there).astype(x.dtype))


class PresenceHead(eqx.Module):
    """`CommandHead`, and commands whose thing is there get another logit, the same for all of them: what is learned
    where there is no iron then holds where there is no wood."""

    act: Linear
    there: Linear

    def __init__(self, key: Any, spec: Any, hidden: int) -> None:
        self.act = Linear(by_name(key, "act"), hidden, spec.actions, 0.01)
        self.there = Linear(by_name(key, "there"), hidden, 1, 0.01)

    def __call__(self, z: jax.Array, choices: jax.Array, line: jax.Array) -> jax.Array:
        return self.act(z) + self.there(z) * choices


class SparseBrackets(Brackets):
    """`Brackets`, but symbols that a line lacks, zeros behind its type, add nothing to its a and b."""

    def __init__(self, key: Any, limits: tuple[int, ...], returns: int) -> None:
        made = Embedding(key, limits, 2 * returns)
        table = (SPREAD * made.table).at[: limits[0] + 1].add(START).at[np.array(made.starts[1:])].set(0)
        self.symbols = eqx.tree_at(lambda made: made.table, made, table)
        self.log_sharpness = jnp.full(returns, math.log(SOFT), jnp.float32)

    def __call__(self, lines: jax.Array) -> Any:
        rows = self.symbols.rows(lines).at[..., np.array(self.symbols.starts[1:])].set(0)
        a, b = jnp.split(jax.nn.sigmoid((rows @ self.symbols.table).astype(jnp.float32)), 2, axis=-1)
        return a, b, jnp.exp(self.log_sharpness.astype(jnp.float32))


ENCODERS = {"plain": MinecraftEncoder, "counting": CountingEncoder, "grid": GridEncoder}
HEADS = {"command": CommandHead, "presence": PresenceHead}


def kinds() -> np.ndarray:
    """Lines of every type, [types, lines, 3]: with all conditions, or with subtasks in turn."""
    subtasks = [[LineType.SUBTASK, verb, noun] for verb in Verb for noun in RESOURCES]
    lines = np.zeros((len(TYPES), len(CONDITIONS), 3), int)
    for number, kind in enumerate(TYPES):
        lines[number, :, 0] = kind
        if kind in (LineType.IF, LineType.WHILE):
            lines[number, :, 2] = [condition.code for condition in CONDITIONS]
        if kind == LineType.SUBTASK:
            lines[number] = np.resize(subtasks, (len(CONDITIONS), 3))
    return lines


def brackets_of(agents: CofcaR) -> dict[str, Any]:
    """By type, the means of a and b in each return of each seed, then the farthest from them; and K."""
    a, b, sharpness = jax.vmap(lambda agent: agent.brackets(kinds()))(agents)
    both = np.stack([a, b], axis=-1).astype(float)
    means, spreads = both.mean(axis=2).round(2), np.ptp(both, axis=2).round(2)
    table = {kind.name.lower(): [means[:, row].tolist(), spreads[:, row].tolist()] for row, kind in enumerate(TYPES)}
    return {**table, "K": np.asarray(sharpness, float).round(1).tolist()}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say = parser.add_argument
    say("name")
    say("--agent", default="cofca-r")
    say("--depth", type=int, default=1, help="how deep training levels are nested at most")
    say("--conditions", type=int, default=3, choices=(3, 12))
    say("--steps", type=float, default=20e6, help="of each seed")
    say("--seeds", type=int, default=4)
    say("--seed", type=int, default=7)
    say("--worker", default="planner")
    say("--episodes", type=int, default=200, help="levels a bin")
    say("--longest", type=int, default=200, choices=(10, 50, 200), help="lines of the longest evaluation levels")
    say("--set", nargs="*", default=[], metavar="NAME=VALUE", help="numbers of PPO")
    say(
        "--numbers",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="whole numbers of the agent: returns=2 hidden=256",
    )
    say("--channels", type=int, default=32, help="of the encoder")
    say("--encoder", choices=tuple(ENCODERS), default="counting", help="; ".join(map(": ".join, ABOUT.items())))
    say("--head", choices=tuple(HEADS), default="command", help="presence needs the encoder grid")
    say("--absent", action="store_true", help="symbols that a line lacks add nothing to its a and b")
    say("--start", type=float, default=START, help="the mean logit of a and b")
    say("--rate", type=float, default=1.0, help="how many times as fast a, b and K learn")
    say("--sharp", type=float, help="K at the start")
    say("--pull", type=float, default=0.0, help="weight of the mean of a + b over the kinds of lines")
    say("--late", action="store_true", help="pull and agreement grow from nothing as the entropy's weight falls to it")
    say("--stopped", action="store_true", help="the entropy of targets teaches a, b and K nothing")
    say("--agree", type=float, default=0.0, help="weight of how much the returns differ in a and b")
    say("--unshared", action="store_true", help="what p itself opens and closes is learned apart")
    say("--threshold", type=float, default=0.5, help="a and b above it become 1 when they are hardened")
    say("--harden-from", type=float, default=1.0, help="share of training after which a, b and K are hard and stay so")
    say("--save", type=Path, help="folder for NAME.npz: the soft weights of all seeds")
    return parser.parse_args()


def make_agents(told: argparse.Namespace, spec: Any) -> Agent:
    """As the preset makes them, with other numbers."""
    made = preset(TUNED).agent("minecraft", told.agent)
    numbers: dict[str, Any] = {name: int(value) for name, value in (text.split("=") for text in told.numbers)}
    if told.agent == "cofca-r":
        encoder = {"channels": told.channels, "encoder": ENCODERS[told.encoder]}
        made = replace(made, encoder_numbers=encoder, head=HEADS[told.head])
        numbers |= {"brackets": SparseBrackets} if told.absent else {}
    made = replace(made, numbers={**made.numbers, **numbers})
    agents = stack([made(key, spec) for key in jax.random.split(jax.random.key(told.seed), told.seeds)])
    if told.agent == "cofca-r":
        agents = shifted(agents, told.start - START)
        if told.sharp:
            log = jnp.full_like(agents.brackets.log_sharpness, math.log(told.sharp))
            agents = eqx.tree_at(lambda agent: agent.brackets.log_sharpness, agents, log)
    return agents


def shifted(agents: CofcaR, logit: float) -> CofcaR:
    """With so much more in the logits of a and b of every line."""
    symbols = agents.brackets.symbols
    # All lines have a type, and its rows come first.
    table = symbols.table.at[..., : symbols.starts[1], :].add(logit)
    return eqx.tree_at(lambda agent: agent.brackets.symbols.table, agents, table)


def thresholded(told: argparse.Namespace, agents: CofcaR) -> CofcaR:
    """With logits that are positive where a or b is above the threshold."""
    return shifted(agents, -math.log(told.threshold / (1 - told.threshold)))


def learn_faster(rate: float, agent: CofcaR) -> None:
    """Adam's steps of a, b and K times this."""
    plain = ppo.optimizer
    ones = jax.tree.map(jnp.ones_like, agent)
    rates = eqx.tree_at(lambda ones: ones.brackets, ones, jax.tree.map(lambda leaf: rate * leaf, ones.brackets))
    scale = ravel_pytree(rates)[0]
    scaled = optax.stateless(lambda updates, params: updates * scale)
    ppo.optimizer = lambda setup: optax.chain(plain(setup), scaled)


def regularise(pull: float, agree: float, late: bool) -> None:
    """Add to the loss the mean of a + b, and how much the returns differ in them."""
    plain = ppo.loss

    def loss(agent: Any, rollout: Any, advantages: Any, returns: Any, entropy_weight: Any, config: Any) -> Any:
        value, metrics = plain(agent, rollout, advantages, returns, entropy_weight, config)
        a, b, _ = agent.brackets(kinds())
        share = 1 - entropy_weight / config.entropy if late else 1.0
        apart = (a.var(axis=-1) + b.var(axis=-1)).mean(axis=-1).sum()
        return value + share * (pull * (a + b).mean(axis=(0, 1)).sum() + agree * apart), metrics

    ppo.loss = loss


def unshare() -> None:
    """Half of the returns only say what p itself opens and closes; the others count all lines but p."""

    def apart(a: Any, b: Any, sharpness: Any, p: Any, length: Any) -> Any:
        (a, own_a), (b, own_b) = (jnp.split(each, 2, axis=1) for each in (a, b))
        sharpness, own = jnp.split(sharpness, 2)[0], jnp.arange(a.shape[0])[:, None] == p
        return first_return(jnp.where(own, own_a, a), jnp.where(own, own_b, b), sharpness, p, length)

    cofca_r.first_return = apart
    cofca_r.GatePhi = lambda key, spec, hidden, embedding, columns: GatePhi(
        key, spec, hidden, embedding, (columns + 1) // 2
    )


def entropy_stopped() -> None:
    """The entropy of movements teaches a, b and K nothing."""
    plain = PointerPolicy.entropy

    def other(policy: PointerPolicy, columns: bool = False) -> jax.Array:
        movement = policy.movement
        stopped = movement._replace(columns=jax.lax.stop_gradient(movement.columns))
        return plain(policy._replace(movement=stopped), columns)

    PointerPolicy.entropy = other


def train(told: argparse.Namespace, agents: Agent, setup: ppo.Setup) -> tuple[Agent, dict[str, Any]]:
    """The trained agents, and how it went: success in training by seed, eight times, and the speed after the first."""
    learners = ppo.begin(jax.random.split(jax.random.key(told.seed), told.seeds), agents, setup)
    pools = setup.updates // setup.config.updates_per_pool
    curve, begun, first = [], time.time(), 0.0
    for pool in range(pools):
        if pool == round(told.harden_from * pools):
            learners = learners._replace(agent=harden(thresholded(told, learners.agent)))
        learners, metrics = ppo.train(ppo.refresh(learners, setup), setup)
        won, ended = (np.asarray(metrics[name], float).sum(axis=0) for name in ("successes", "episodes"))
        first = first or time.time()
        if pool % max(1, pools // 8) == 0 or pool == pools - 1:
            curve.append((won / np.maximum(ended, 1)).round(3).tolist())
            print(told.name, f"{pool + 1}/{pools}", curve[-1], flush=True)
    steps = (pools - 1) * setup.config.updates_per_pool * setup.config.batch * told.seeds
    speed = {"compile_s": round(first - begun, 1), "steps_per_second": round(steps / max(time.time() - first, 1e-9))}
    return learners.agent, {**speed, "curve": curve}


def bins(told: argparse.Namespace) -> list[list[EvalSet]]:
    """Evaluation levels, those with as much room together."""
    domain, conditions = find_domain("minecraft", told.worker), conditions_of(told)
    short = [(1, 10, 0, told.depth)]
    long = [(41, 50, depth if depth > 1 else 0, depth) for depth in (1, 2, 3, DEEPEST)]
    longer = [(101, 200, depth if depth > 1 else 0, depth) for depth in (1, 3)]
    groups = {10: [short], 50: [short + long], 200: [short + long, longer]}[told.longest]
    return [
        [
            EvalSet(
                domain,
                Bin(low, high, {"length": (low, high), "executed_depth": least, "max_depth": most,
                    "conditions": conditions, "max_lines": max(high for _, high, *_ in group)},
                    id=f"{low}-{high}-depth{most}"),
                told.episodes,
                LEVEL_SEED,
            )
            for low, high, least, most in group
        ]
        for group in groups
    ]  # fmt: skip


def conditions_of(told: argparse.Namespace) -> Any:
    return CONDITIONS if told.conditions == 12 else DEFAULT_CONDITIONS


def evaluate(agents: Agent, config: Any, groups: list[list[EvalSet]]) -> dict[str, Any]:
    """Success by bin, manner and seed; soft, too, in bins of at most 50 lines."""
    scores: dict[str, Any] = {}
    hard = harden(agents)
    for manner, players, greedy in (("sampled", hard, False), ("greedy", hard, True), ("soft", agents, False)):
        for group in groups[: 1 if manner == "soft" else None]:
            for levels, played in zip(group, played_together(group, players, config, greedy), strict=True):
                share = (np.asarray(played.returns) > 0).mean(axis=-1).round(3).tolist()
                scores.setdefault(levels.bin.id, {})[manner] = share
    return scores


def main() -> None:
    told = options()
    cache_compilation()
    domain = find_domain("minecraft", told.worker)
    params = domain.params(length=(1, 10), max_depth=told.depth, conditions=conditions_of(told))
    config = settled(changed(preset(TUNED).ppo_of("minecraft", told.agent), told.set))
    pools = max(1, int(told.steps / config.batch / config.updates_per_pool))
    setup = ppo.Setup(domain.environment(), params, config, pools * config.updates_per_pool)
    if told.unshared:
        unshare()
    agents = make_agents(told, spec_of(setup.env, params))
    if told.rate != 1:
        learn_faster(told.rate, jax.tree.map(lambda leaf: leaf[0], agents))
    if told.pull or told.agree:
        regularise(told.pull, told.agree, told.late)
    if told.stopped:
        entropy_stopped()
    agents, course = train(told, agents, setup)
    if told.save:
        told.save.mkdir(parents=True, exist_ok=True)
        np.savez(told.save / f"{told.name}.npz", *map(np.asarray, jax.tree.leaves(agents)))
    line = {**vars(told), "save": None, "steps": setup.updates * config.batch, **course}
    if isinstance(agents, CofcaR):
        line["brackets"] = brackets_of(agents)
        agents = thresholded(told, agents)
    print(json.dumps({**line, "success": evaluate(agents, config, bins(told))}), flush=True)


if __name__ == "__main__":
    main()
