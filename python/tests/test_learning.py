"""Learning with Stable-Baselines3, where it is installed: the inverted pendulum is solved."""

import pytest

pytest.importorskip("stable_baselines3")
import nexdyn.gym  # noqa: E402


@pytest.mark.parametrize("formulation", ["mujoco", "sap"])
def test_ppo_solves_the_inverted_pendulum(formulation):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.evaluation import evaluate_policy

    torch.set_num_threads(1)
    make = lambda: nexdyn.gym.make("InvertedPendulum", formulation=formulation)  # noqa: E731
    envs = make_vec_env(make, n_envs=8, seed=0)
    model = PPO(
        "MlpPolicy", envs, n_steps=64, batch_size=64, n_epochs=10, learning_rate=2e-3, gamma=0.99, gae_lambda=0.95, seed=0, device="cpu"
    )
    for _ in range(8):
        model.learn(total_timesteps=8192, reset_num_timesteps=False)
        mean, _ = evaluate_policy(model, make_vec_env(make, n_envs=1, seed=100), n_eval_episodes=3)
        if mean >= 900:
            break
    # 1000 is the most that an episode can give
    assert mean >= 900
