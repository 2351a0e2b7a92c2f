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

from cofca.agents.base import Agent
from cofca.agents.cofca_r import CofcaR
from cofca.agents.distribution import PointerPolicy, entropy
from cofca.agents.encoders.blocks import with_blocks_given
from cofca.agents.encoders.counting import CountingEncoder
from cofca.agents.encoders.minecraft import Encoding, MinecraftEncoder
from cofca.agents.harden import harden
from cofca.agents.modules.brackets import START
from cofca.envs.minecraft.symbols import CONDITIONS, DEFAULT_CONDITIONS, RESOURCES, LineType, Verb
from cofca.envs.spec import spec_of
from cofca.experiments.build import find_domain
from cofca.experiments.eval_set import EvalSet, played_together
from cofca.experiments.presets import TUNED, preset
from cofca.experiments.specs import Bin
from cofca.rl import ppo
from cofca.rl.config import settled
from cofca.utils.compilation import cache_compilation
from cofca.utils.settings import changed
from cofca.utils.trees import stack

LEVEL_SEED = 1
DEEPEST = 5
ENTROPIES = {
    "targets": "as PPO has it",
    "stopped": "the entropy of targets teaches a, b and K nothing",
    "phi": "the entropy of the choice of columns instead",
}
ABOUT = {"plain": "x without counts", "counting": "of the preset", "held": "of the inventory only what is held at all"}
TYPES = [kind for kind in LineType if kind != LineType.PADDING]


class HeldEncoder(eqx.Module):
    """`CountingEncoder`, but of the inventory only what is held at all: long instructions pile up more than training
    has ever seen."""

    encoder: CountingEncoder
    size: int = eqx.field(static=True)

    def __init__(self, key: Any, spec: Any, channels: int) -> None:
        self.encoder = CountingEncoder(key, spec, channels)
        self.size = self.encoder.size

    def __call__(self, obs: Any) -> Encoding:
        return self.encoder(obs._replace(inventory=jnp.minimum(obs.inventory, 1)))


ENCODERS = {"plain": MinecraftEncoder, "counting": CountingEncoder, "held": HeldEncoder}


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
    say("--start", type=float, default=START, help="the mean logit of a and b")
    say("--rate", type=float, default=1.0, help="how many times as fast a, b and K learn")
    say("--sharp", type=float, help="K at the start")
    say("--pull", type=float, default=0.0, help="weight of the mean of a + b over the kinds of lines")
    say("--late", action="store_true", help="the pull grows from nothing as the entropy's weight falls to it")
    say("--entropy-of", choices=tuple(ENTROPIES), default="targets", help="; ".join(map(": ".join, ENTROPIES.items())))
    say("--absent", action="store_true", help="symbols that a line lacks add nothing to its a and b")
    say("--threshold", type=float, default=0.5, help="a and b above it become 1 when they are hardened")
    say("--given", action="store_true", help="a and b are set by hand")
    say("--save", type=Path, help="folder for NAME.npz: the soft weights of all seeds")
    return parser.parse_args()


def make_agents(told: argparse.Namespace, spec: Any) -> Agent:
    """As the preset makes them, with other numbers."""
    made = preset(TUNED).agent("minecraft", told.agent)
    numbers = {name: int(value) for name, value in (text.split("=") for text in told.numbers)}
    encoder = {"channels": told.channels, "encoder": ENCODERS[told.encoder]}
    made = replace(made, numbers={**made.numbers, **numbers}, encoder_numbers=encoder)
    agents = stack([made(key, spec) for key in jax.random.split(jax.random.key(told.seed), told.seeds)])
    if isinstance(agents, CofcaR) and told.given:
        return with_blocks_given(agents)
    if isinstance(agents, CofcaR):
        agents = shifted(agents, told.start - START)
        if told.absent:
            agents = eqx.tree_at(lambda agent: agent.brackets.symbols.table, agents, without_absent(agents, told.start))
        if told.sharp:
            log = jnp.full_like(agents.brackets.log_sharpness, math.log(told.sharp))
            agents = eqx.tree_at(lambda agent: agent.brackets.log_sharpness, agents, log)
    return agents


def shifted(agents: CofcaR, logit: float) -> CofcaR:
    """With so much more in the logits of a and b of every line."""
    symbols = agents.brackets.symbols
    table = symbols.table + logit / len(symbols.starts)
    return eqx.tree_at(lambda agent: agent.brackets.symbols.table, agents, table)


def absent_rows(agents: CofcaR) -> list[int]:
    """The rows of *no verb* and *no noun*. Lines that end a block have nothing else beside their type."""
    return list(agents.brackets.symbols.starts[1:])


def without_absent(agents: CofcaR, start: float) -> jax.Array:
    """The table with nothing in these rows, and the start in those of types."""
    symbols = agents.brackets.symbols
    places = len(symbols.starts)
    table = symbols.table - start / places
    table = table.at[..., : symbols.starts[1], :].add(start)
    return table.at[..., jnp.array(absent_rows(agents)), :].set(0.0)


def learn_faster(rate: float, absent: bool, agent: CofcaR) -> None:
    """Adam's steps of a, b and K times this; absent symbols learn nothing."""
    plain = ppo.optimizer
    ones = jax.tree.map(jnp.ones_like, agent)
    rates = eqx.tree_at(lambda ones: ones.brackets, ones, jax.tree.map(lambda leaf: rate * leaf, ones.brackets))
    if absent:
        table = rates.brackets.symbols.table.at[jnp.array(absent_rows(agent))].set(0.0)
        rates = eqx.tree_at(lambda rates: rates.brackets.symbols.table, rates, table)
    scale = ravel_pytree(rates)[0]
    scaled = optax.stateless(lambda updates, params: updates * scale)
    ppo.optimizer = lambda setup: optax.chain(plain(setup), scaled)


def pull_to_zero(weight: float, late: bool) -> None:
    """Add the mean of a + b to the loss."""
    plain = ppo.loss

    def loss(agent: Any, rollout: Any, advantages: Any, returns: Any, entropy_weight: Any, config: Any) -> Any:
        value, metrics = plain(agent, rollout, advantages, returns, entropy_weight, config)
        a, b, _ = agent.brackets(kinds())
        share = 1 - entropy_weight / config.entropy if late else 1.0
        return value + weight * share * (a + b).mean(axis=(0, 1)).sum(), metrics

    ppo.loss = loss


def entropy_of(what: str) -> None:
    """Another entropy of movements."""
    plain = PointerPolicy.entropy

    def other(policy: PointerPolicy) -> jax.Array:
        movement = policy.movement
        if what == "stopped":
            return plain(policy._replace(movement=movement._replace(columns=jax.lax.stop_gradient(movement.columns))))
        opened = jax.nn.sigmoid(movement.gate.astype(jnp.float32))
        of_targets, of_phi = (entropy(each.astype(jnp.float32)) for each in (movement.targets, movement.weights))
        return plain(policy) + jax.lax.stop_gradient(opened) * (of_phi - of_targets)

    PointerPolicy.entropy = other  # type: ignore[method-assign]


def train(told: argparse.Namespace, agents: Agent, setup: ppo.Setup) -> tuple[Agent, dict[str, Any]]:
    """The trained agents, and how it went: success in training by seed, eight times, and the speed after the first."""
    learners = ppo.begin(jax.random.split(jax.random.key(told.seed), told.seeds), agents, setup)
    pools = setup.updates // setup.config.updates_per_pool
    curve, begun, first = [], time.time(), 0.0
    for pool in range(pools):
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
    """Success by bin, manner and seed."""
    scores: dict[str, Any] = {}
    for manner, greedy in (("sampled", False), ("greedy", True)):
        for group in groups:
            for levels, played in zip(group, played_together(group, harden(agents), config, greedy), strict=True):
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
    agents = make_agents(told, spec_of(setup.env, params))
    if told.rate != 1 or told.absent:
        learn_faster(told.rate, told.absent, jax.tree.map(lambda leaf: leaf[0], agents))
    if told.pull:
        pull_to_zero(told.pull, told.late)
    if told.entropy_of != "targets":
        entropy_of(told.entropy_of)
    agents, course = train(told, agents, setup)
    if told.save:
        told.save.mkdir(parents=True, exist_ok=True)
        np.savez(told.save / f"{told.name}.npz", *map(np.asarray, jax.tree.leaves(agents)))
    line = {**vars(told), "save": None, "steps": setup.updates * config.batch, **course}
    if isinstance(agents, CofcaR):
        line["brackets"] = brackets_of(agents)
        agents = shifted(agents, -math.log(told.threshold / (1 - told.threshold)))
    print(json.dumps({**line, "success": evaluate(agents, config, bins(told))}), flush=True)


if __name__ == "__main__":
    main()
