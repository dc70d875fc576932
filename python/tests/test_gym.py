import re
import warnings
from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import nexdyn.gym  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

NAMES = sorted(nexdyn.gym.TASKS)


def draw_action(env, rng):
    return rng.uniform(env.action_space.low, env.action_space.high).astype(np.float32)


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_accepts(name):
    with warnings.catch_warnings():
        # unbounded observations are those of the tasks
        warnings.simplefilter("ignore")
        check_env(nexdyn.gym.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", NAMES)
def test_stable_baselines_accepts(name):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checker.check_env(nexdyn.gym.make(name))


#: Largest difference from Gymnasium over a second of random actions, in shares of the observation.
#: Humanoid's file asks for 50 iterations of PGS, which end short of the solution: MuJoCo's sweep forward, those here there and back and
#: conjugated, so that each leaves another remainder, and contacts multiply it. Where both are solved to the end they agree: see below.
AGREEMENT = {"Humanoid": 1e-3}


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_gymnasium(name):
    pytest.importorskip("mujoco", minversion="4.0")
    pytest.importorskip("imageio")
    theirs, ours = gymnasium.make(f"{name}-v5"), nexdyn.gym.make(name)
    np.testing.assert_allclose(theirs.reset(seed=3)[0], ours.reset(seed=3)[0], rtol=1e-9, atol=1e-9)
    rng = np.random.default_rng(0)
    tolerance = AGREEMENT.get(name, 1e-6)
    for _ in range(round(1 / ours.unwrapped.dt)):
        action = draw_action(ours, rng)
        seen, reward, ended, *_ = theirs.step(action)
        seen_here, reward_here, ended_here, *_ = ours.step(action)
        scale = np.maximum(1, np.abs(seen))
        assert np.max(np.abs(seen - seen_here) / scale) < tolerance
        assert reward_here == pytest.approx(reward, abs=tolerance)
        assert ended == ended_here
        if ended:
            break


@pytest.mark.parametrize(
    ("solver", "actions"), [('solver="PGS" iterations="1000" tolerance="0"', 20), ('solver="Newton" tolerance="1e-15"', 67)]
)
def test_humanoid_agrees_where_its_contacts_are_solved_to_the_end(solver, actions, tmp_path):
    pytest.importorskip("mujoco", minversion="4.0")
    pytest.importorskip("imageio")
    text = Path(nexdyn.gym.TASKS["Humanoid"]().find_model()).read_text()
    model = tmp_path / "humanoid.xml"
    changed = re.sub("<option [^>]*>", f'<option integrator="RK4" timestep="0.003" {solver}>', text, count=1)
    assert changed != text
    model.write_text(changed)
    theirs = gymnasium.make("Humanoid-v5", xml_file=str(model), terminate_when_unhealthy=False)
    ours = nexdyn.gym.make("Humanoid", model=str(model), terminate_when_unhealthy=False)
    theirs.reset(seed=0)
    ours.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(actions):
        action = draw_action(ours, rng)
        seen, reward, *_ = theirs.step(action)
        seen_here, reward_here, *_ = ours.step(action)
        assert np.max(np.abs(seen - seen_here) / np.maximum(1, np.abs(seen))) < 1e-6
        assert reward_here == pytest.approx(reward, abs=1e-6)


@pytest.mark.parametrize("formulation", ["sap", "ccp", "ipc", "penalty"])
def test_tasks_run_under_every_formulation(formulation):
    env = nexdyn.gym.make("Walker2d", formulation=formulation)
    seen, _ = env.reset(seed=1)
    reference, _ = nexdyn.gym.make("Walker2d").reset(seed=1)
    # joint positions and velocities of the same start, in whatever coordinates
    np.testing.assert_allclose(seen, reference, atol=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(5):
        seen, reward, *_ = env.step(draw_action(env, rng))
    assert np.isfinite(seen).all() and np.isfinite(reward)


def test_a_vector_is_as_many_single_ones():
    count = 3
    envs = nexdyn.gym.VectorEnv("Hopper", count)
    single = [nexdyn.gym.make("Hopper") for _ in range(count)]
    seen, info = envs.reset(seed=5)
    assert seen.shape == (count, 11) and info["_x_position"].all()
    for i, env in enumerate(single):
        np.testing.assert_array_equal(env.reset(seed=5 + i)[0], seen[i])
    rng = np.random.default_rng(2)
    fresh = np.zeros(count, dtype=bool)
    for _ in range(60):
        actions = np.stack([draw_action(single[0], rng) for _ in range(count)])
        seen, reward, ended, cut, info = envs.step(actions)
        for i, env in enumerate(single):
            if fresh[i]:
                # the episode has ended with the step before: this one begins the next
                np.testing.assert_array_equal(env.reset()[0], seen[i])
                assert reward[i] == 0 and not ended[i]
                continue
            expected = env.step(actions[i])
            np.testing.assert_array_equal(expected[0], seen[i])
            assert reward[i] == pytest.approx(expected[1], abs=1e-12) and ended[i] == expected[2]
        fresh = ended | cut
    assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP


def test_autoreset_in_the_same_step_and_by_hand():
    envs = nexdyn.gym.VectorEnv("InvertedPendulum", 2, autoreset_mode="SameStep")
    envs.reset(seed=0)
    for _ in range(40):
        seen, _, ended, _, info = envs.step(np.full((2, 1), 3, dtype=np.float32))
        if ended.any():
            break
    assert ended.any()
    last = info["final_obs"][np.argmax(ended)]
    assert abs(last[1]) > 0.2 and abs(seen[np.argmax(ended), 1]) <= 0.01
    envs = nexdyn.gym.VectorEnv("InvertedPendulum", 2, autoreset_mode="Disabled", max_episode_steps=3)
    envs.reset(seed=0)
    for _ in range(3):
        seen, _, _, cut, _ = envs.step(np.zeros((2, 1), dtype=np.float32))
    assert cut.all()
    with pytest.raises(ValueError, match="reset_mask"):
        envs.step(np.zeros((2, 1), dtype=np.float32))
    again, _ = envs.reset(options={"reset_mask": np.array([True, False])})
    np.testing.assert_array_equal(again[1], seen[1])
    assert not np.array_equal(again[0], seen[0])


def test_numbers_do_not_depend_on_threads():
    found = []
    for threads in (1, 2, 3):
        envs = nexdyn.gym.VectorEnv("Ant", 6, threads=threads)
        envs.reset(seed=4)
        rng = np.random.default_rng(0)
        for _ in range(3):
            seen, reward, *_ = envs.step(rng.uniform(-1, 1, size=(6, 8)).astype(np.float32))
        found.append((seen.tobytes(), reward.tobytes()))
        envs.close()
    assert found[0] == found[1] == found[2]


def test_pictures_show_what_is_there():
    env = nexdyn.gym.make("InvertedPendulum", render_mode="rgb_array", reset_noise_scale=0)
    env.reset(seed=0)
    upright = env.render()
    assert upright.shape == (480, 480, 3) and upright.dtype == np.uint8
    # the sky is blue, the pole is not
    assert (upright[0, 0, 2] > upright[0, 0, 0]) and len(np.unique(upright.reshape(-1, 3), axis=0)) > 50
    for _ in range(20):
        env.step(np.array([3], dtype=np.float32))
    assert np.mean(env.render() != upright) > 0.005


def test_registered_with_gymnasium():
    env = gymnasium.make("nexdyn/Reacher-v5", formulation="sap")
    assert env.spec.max_episode_steps == 50
    env.reset(seed=0)
    assert env.unwrapped.model.formulation == "sap"
    envs = gymnasium.make_vec("nexdyn/Reacher-v5", num_envs=2, vectorization_mode="vector_entry_point")
    assert envs.reset(seed=0)[0].shape == (2, 10)


def test_wrong_names_are_errors():
    with pytest.raises(ValueError, match="Ant"):
        nexdyn.gym.make("Antt")
    with pytest.raises(TypeError, match="reset_noise_scale"):
        nexdyn.gym.make("Ant", reset_noise=0)
    env = nexdyn.gym.make("Hopper")
    env.reset()
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros(4))
