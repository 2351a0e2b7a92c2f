"""A tiny preset learns on a CPU."""

from dataclasses import replace

import jax
import numpy as np
from tiny_preset import small

from cofca.envs.minecraft import Minecraft, MinecraftParams
from cofca.envs.spec import spec_of
from cofca.experiments.presets import PRESETS, TUNED
from cofca.rl.config import PPOConfig
from cofca.rl.ppo import Setup, begin, refresh, train
from cofca.utils.trees import stack

CONFIG = PPOConfig(
    envs=64, steps=16, learning_rate=3e-3, final_learning_rate=0, entropy=0.01, final_entropy=0.001, levels=512,
    updates_per_pool=20, failures=512,
)  # fmt: skip
POOLS = 10


def test_cofca_s_learns_to_do_what_a_single_line_says():
    setup = Setup(Minecraft(), MinecraftParams(length=(1, 1)), CONFIG, POOLS * CONFIG.updates_per_pool)
    chosen = small(PRESETS[TUNED].agent("minecraft", "cofca-s"), hidden=64, embedding=32, gru=8)
    agent = replace(chosen, encoder_numbers={"channels": 8})(jax.random.key(0), spec_of(setup.env, setup.params))
    learners, success = begin(jax.random.split(jax.random.key(1), 1), stack([agent]), setup), []
    for _ in range(POOLS):
        learners, metrics = train(refresh(learners, setup), setup)
        success.append(float(np.sum(metrics["successes"]) / np.sum(metrics["episodes"])))
    # Most seeds learn all nine commands in this time, some only six.
    assert success[0] < 0.4
    assert success[-1] > 0.6
