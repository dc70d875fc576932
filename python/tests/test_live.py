"""The live view of environments: what a page gets."""

import json
import urllib.error
import urllib.request
import webbrowser

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
import nexdyn.gym  # noqa: E402


def fetch(address: str, **headers: str) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=30) as answer:
        return answer.read()


@pytest.mark.parametrize("formulation", ["mujoco", "ipc"])
def test_a_page_follows_the_environment(formulation, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    env = nexdyn.gym.make("Hopper", formulation=formulation, render_mode="human")
    env.reset(seed=1)
    inner = env.unwrapped
    view = inner._environments._view
    assert b"live.js" in fetch(view.address)
    assert fetch(view.address + "scene.glb")[:4] == b"glTF"
    env.step(np.zeros(3))
    with urllib.request.urlopen(view.address + "poses", timeout=30) as stream:
        news = json.loads(stream.readline().removeprefix(b"data: "))
    assert news["time"] == pytest.approx(inner.dt)
    poses = np.reshape(news["poses"], (-1, 7))
    assert poses.shape == (len(inner.model.bodies), 7)
    # the torso, and unit quaternions
    assert poses[1, 2] == pytest.approx(1.25, abs=0.05)
    assert np.linalg.norm(poses[:, 3:], axis=1) == pytest.approx(1, abs=1e-5)
    for path, host in (("missing", "127.0.0.1"), ("scene.glb", "example.com")):
        with pytest.raises(urllib.error.HTTPError):
            fetch(view.address + path, Host=host)
    env.close()
    with pytest.raises(urllib.error.URLError):
        fetch(view.address)
    assert opened == [view.address]
