"""What else of Gymnasium works: processes and videos."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest

from interop.samples import ID, MAP, MINE_GOLD, MINE_IRON

pytestmark = pytest.mark.soak


def test_environments_in_processes_of_their_own() -> None:
    spawn = {"context": "spawn"}
    envs = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="async", vector_kwargs=spawn, length=(1, 2))
    try:
        obs, _ = envs.reset(seed=1, options={"instruction": "mine iron", "map": MAP})
        assert envs.observation_space.contains(obs)
        envs.step(np.array([MINE_IRON, MINE_GOLD]))
        obs, rewards, terminated, *_ = envs.step(np.array([MINE_IRON, MINE_GOLD]))
        assert obs["inventory"].tolist() == [[1, 0, 0], [0, 1, 0]]
        assert (rewards.tolist(), terminated.tolist()) == ([1, 0], [True, True])
        assert np.array_equal(envs.call("action_masks"), np.ones((2, 9), bool))
    finally:
        envs.close()


@pytest.mark.filterwarnings("ignore")  # moviepy's and FFmpeg's own
@pytest.mark.parametrize("id_", [ID, "cofca/StarCraft-v0"])
def test_videos_are_recorded(id_: str, tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    from imageio_ffmpeg import count_frames_and_secs

    played = gymnasium.make(id_, render_mode="rgb_array", length=(2, 2))
    env = gymnasium.wrappers.RecordVideo(played, str(tmp_path), disable_logger=True)
    env.action_space.seed(0)
    steps = 0
    _, info = env.reset(seed=0)
    for _ in range(3):
        _, _, terminated, truncated, info = env.step(env.action_space.sample(info.get("action_mask")))
        steps += 1
        if terminated or truncated:
            break
    env.close()
    (video,) = tmp_path.iterdir()
    assert count_frames_and_secs(str(video))[0] == steps + 1
