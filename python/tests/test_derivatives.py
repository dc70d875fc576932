import numpy as np
import pytest

import nexdyn


def difference(sim, row, epsilon=1e-6):
    """Centred differences of a step by a state of joints without rotations."""
    start = sim.snapshot()
    out = []
    for sign in (1, -1):
        sim.restore(start)
        state = np.concatenate([sim.q, sim.v])
        state[row] += sign * epsilon
        sim.q, sim.v = np.split(state, 2)
        sim.step()
        out.append(np.concatenate([sim.q, sim.v]))
    sim.restore(start)
    return (out[0] - out[1]) / (2 * epsilon)


def test_matrices_agree_with_differences_of_steps(pendulum):
    sim = nexdyn.load(pendulum)
    sim.q[0], sim.v[0] = 0.3, 1.5
    linear = sim.linearize()
    assert linear.A.shape == (2, 2) and linear.B.shape == (2, 1)
    for row in range(2):
        # centred differences: round-off 1e-16 / 1e-6 and the third derivative times 1e-12
        np.testing.assert_allclose(linear.A[:, row], difference(sim, row), atol=1e-8)
    assert linear.names["control"] == ["control of drive"]
    assert sim.q[0] == 0.3


def test_forward_and_reverse_are_transposed(toss):
    sim = nexdyn.load(toss)
    sim.v[:3] = [1, 0.2, -2.5]
    sim.step(12)
    rng = np.random.default_rng(0)
    direction, cotangent = rng.normal(size=14), rng.normal(size=14)
    forward = sim.jvp(state=direction)["state"]
    backward = sim.vjp(cotangent)["state"]
    assert cotangent @ forward == pytest.approx(backward @ direction, rel=1e-10)


def test_a_rollout_goes_backwards(toss):
    sim = nexdyn.load(toss)
    controls = np.random.default_rng(1).normal(size=(15, 1))
    run = sim.rollout(controls)
    assert run.q.shape == (16, 8) and sim.time == 0
    gradient = np.zeros(14)
    gradient[6] = 1  # the cart's place
    found = run.backward(gradient)["controls"][:, 0]
    mass, h = 8.0, 0.01
    # x = Σ h v, v = Σ h u / m: control k acts on the velocities after it
    expected = np.array([h * h / mass * (15 - k) for k in range(15)])
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    # the same loss by every state: all but the last do not count
    rows = np.zeros((16, 14))
    rows[-1] = gradient
    np.testing.assert_array_equal(run.backward(rows)["controls"][:, 0], found)
    # and the place at step 5 knows nothing of later controls
    rows = np.zeros((16, 14))
    rows[5, 6] = 1
    np.testing.assert_allclose(run.backward(rows)["controls"][:, 0], [*(h * h / mass * np.arange(5, 0, -1)), *[0] * 10], rtol=1e-9)
    with pytest.raises(nexdyn.NexdynError, match="rows of gradients"):
        run.backward(rows[:4])
    with pytest.raises(nexdyn.NexdynError, match="shape"):
        sim.rollout(np.zeros((15, 2)))


def test_gradcheck_of_a_rollout_with_contact(toss):
    torch = pytest.importorskip("torch")
    import nexdyn.torch as bridge

    sim = nexdyn.load(toss)
    q = torch.tensor(sim.q.copy(), requires_grad=True)
    v = torch.tensor([1, 0.2, -2.5, 1, 2, 0.5, 0], dtype=torch.float64, requires_grad=True)
    controls = torch.linspace(-1, 1, 20, dtype=torch.float64).reshape(20, 1).requires_grad_()
    positions, _ = bridge.rollout(sim, q, v, controls)
    assert positions.detach().numpy()[:, 2].min() < 0.1 + 1e-3, "the ball has touched the floor"

    def end(v, controls):
        positions, velocities = bridge.rollout(sim, q.detach(), v, controls)
        return positions[-1], velocities[-1]

    assert torch.autograd.gradcheck(end, (v, controls), eps=1e-6, atol=1e-5)


def test_jax_gives_the_gradient_of_torch(toss):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import nexdyn.jax as bridge

    sim = nexdyn.load(toss)
    run = bridge.make_rollout(sim)
    controls = np.linspace(-1, 1, 10).reshape(10, 1)
    v = np.array([1, 0.2, -2.5, 1, 2, 0.5, 0])
    by_control = jax.grad(lambda u: run(sim.q.copy(), v, u)[0][-1, 7])(controls)
    expected = [1e-4 / 8 * (10 - k) for k in range(10)]
    np.testing.assert_allclose(by_control[:, 0], expected, rtol=1e-9)
    both = jax.vmap(lambda row: run(sim.q.copy(), row, controls)[0][-1])(np.stack([v, 2 * v]))
    np.testing.assert_array_equal(both[1], run(sim.q.copy(), 2 * v, controls)[0][-1])
