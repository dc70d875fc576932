import numpy as np
import pytest

import nexdyn


def test_pendulum_keeps_its_energy_and_its_arrays(pendulum):
    sim = nexdyn.load(pendulum, set={"joints.shoulder.damping": 0})
    q = sim.q
    first = sim.energy()["total"]
    assert sim.step(100).status == "converged"
    assert sim.time == pytest.approx(0.2)
    assert q is sim.q and q[0] > 0.3
    # symplectic Euler keeps E - h V' v / 2 to second order, and V' is at most the weight, 1.53 kg, at its lever of 0.25 m
    assert abs(sim.energy()["total"] - first) < 0.5 * sim.timestep * 1.53 * 9.81 * 0.25 * abs(sim.v[0])


def test_same_hash_as_in_node(run_node):
    formulations = ["mujoco", "sap", "ccp", "ipc"]
    hashes = []
    for formulation in formulations:
        sim = nexdyn.load("box-stack", formulation=formulation)
        sim.step(12)
        sim.step(8)
        hashes.append(sim.hash())
    program = f"""
    import {{ readFileSync }} from 'node:fs';
    import {{ compileModel, Simulation }} from './packages/engine/dist-node/index.js';
    import {{ readSceneJson }} from './packages/formats/dist-node/index.js';
    const files = {{ read: (path) => readFileSync('scenes/' + path) }};
    const {{ scene }} = readSceneJson('box-stack.json', {{ files }});
    for (const formulation of {formulations}) {{
      const simulation = new Simulation(compileModel(scene, {{ formulation }}));
      simulation.step(20);
      console.log(simulation.hash());
    }}
    """
    assert hashes == run_node(program).split()


def test_what_is_written_is_where_the_next_step_begins(pendulum):
    sim = nexdyn.load(pendulum)
    sim.q[0], sim.v[0], sim.ctrl[:] = 0.5, -1.0, 0.25
    kept = sim.snapshot()
    sim.step(3)
    after = sim.hash()
    assert sim.q[0] == pytest.approx(0.5 - 3 * 0.002, abs=1e-3)
    sim.restore(kept)
    assert (sim.q[0], sim.v[0], sim.ctrl[0]) == (0.5, -1.0, 0.25)
    sim.step(3)
    assert sim.hash() == after
    sim.reset()
    assert sim.q[0] == 0 and sim.time == 0


def test_contacts_carry_the_weight():
    world = nexdyn.scene().options(formulation="sap")
    world.plane("floor")
    world.body("box", position=[0, 0, 0.1]).free().box("cube", half_size=[0.1, 0.1, 0.1], density=1000)
    sim = nexdyn.load(world)
    sim.step(500)
    forces = sim.contact_forces()
    assert forces.dtype == nexdyn.CONTACT_FORCE and len(forces) == 4
    # 8 kg at rest; the velocity left is that of the solver's tolerance
    np.testing.assert_allclose(forces["force"].sum(axis=0), [0, 0, 8 * 9.81], atol=1e-3)
    np.testing.assert_allclose(sim.contacts()["normal"], [[0, 0, 1]] * 4, atol=1e-12)
    assert {sim.model.shapes[i] for i in forces["shape2"]} == {"cube"}
    position, orientation = sim.pose("box")
    np.testing.assert_allclose(position, sim.body_position[1])
    np.testing.assert_allclose(np.linalg.norm(orientation), 1)


def test_a_scene_from_python_is_the_scene_of_the_builder(pendulum, tmp_path):
    data = pendulum.to_dict()
    assert data["bodies"][0]["joints"][0] == {"kind": "hinge", "name": "shoulder", "axis": [0, 1, 0], "damping": 0.01}
    assert data["actuators"][0]["transmission"]["joint"] == "shoulder"
    pendulum.save(tmp_path / "pendulum.json")
    again = nexdyn.load(tmp_path / "pendulum.json")
    here = nexdyn.load(pendulum)
    again.step(10)
    here.step(10)
    assert again.hash() == here.hash()


def test_errors_have_code_place_and_hint(tmp_path):
    with pytest.raises(nexdyn.NexdynError) as caught:
        nexdyn.load({"format": "nexdyn-scene", "version": 1, "bodies": [{"mas": 1}]})
    assert caught.value.code == "unknown-field" and caught.value.path.startswith("bodies[0]")
    file = tmp_path / "broken.xml"
    file.write_text("<mujoco>\n <worldbody>\n  <geom size='x'/>\n </worldbody></mujoco>")
    with pytest.raises(nexdyn.NexdynError) as caught:
        nexdyn.load(file)
    assert caught.value.line == 3 and "broken.xml" in caught.value.file
    with pytest.raises(nexdyn.NexdynError, match="there is no such file"):
        nexdyn.load("no-such-scene")
    sim = nexdyn.load("pendulum")
    with pytest.raises(nexdyn.NexdynError, match="step"):
        sim.step(0)
    with pytest.raises(nexdyn.NexdynError) as caught:
        sim.pose("amr")
    assert caught.value.hint
    sim.close()
    with pytest.raises(nexdyn.NexdynError, match="closed"):
        sim.step()


def test_numbers_that_are_not_finite_are_named(pendulum):
    sim = nexdyn.load(pendulum)
    sim.v[0] = np.nan
    report = sim.step()
    assert report.status == "diverged"
    assert report.details["nonFinite"]["name"] == "shoulder"


def test_metrics_are_those_of_the_ruler():
    sim = nexdyn.load("box-stack", formulation="ipc")
    sim.measure()
    sim.step(5)
    found = sim.metrics()
    assert found["summary"]["steps"] == 5
    assert found["summary"]["metrics"]["penetration"]["max"] == 0


def test_compare_runs_all_formulations(pendulum):
    found = nexdyn.compare(pendulum, seconds=0.02)
    assert list(found.runs) == ["mujoco", "sap", "ccp", "ipc"]
    assert all(run["status"] == "completed" for run in found.runs.values())
    assert "<html" in found.html


def test_batches_do_not_depend_on_threads(pendulum):
    environments = [{"set": {"velocity": [speed]}} for speed in (0.0, 1.0, 2.0)]
    one = nexdyn.simulate_batch(pendulum, environments, 50, record=["position"], every=10, workers=0)
    two = nexdyn.simulate_batch(pendulum, environments, 50, record=["position"], every=10, workers=2)
    assert one.hash == two.hash and not one.failed
    assert one.frames["position"].shape == (3, 6, 1)
    np.testing.assert_array_equal(one.frames["position"], two.frames["position"])
    sim = nexdyn.load(pendulum)
    sim.v[0] = 2.0
    sim.step(50)
    assert sim.hash() == two.hash[2]


def test_pictures_and_films(pendulum, tmp_path):
    sim = nexdyn.load(pendulum)
    sim.q[0] = 0.0
    level = sim.picture(width=160, height=120, azimuth=-np.pi / 2, elevation=0, target=[0.25, 0, 1], distance=2)
    sim.q[0] = np.pi / 2
    hanging = sim.picture(width=160, height=120, azimuth=-np.pi / 2, elevation=0, target=[0.25, 0, 1], distance=2)

    def extent(picture, axis):
        # the left column is sky all the way down
        drawn = np.abs(picture.astype(int) - picture[:, :1]).sum(axis=2) > 0
        places = np.flatnonzero(drawn.any(axis=axis))
        return places[-1] - places[0]

    # seen from the side, the rod is as wide as it is long, and then as high
    assert extent(level, 0) > 3 * extent(level, 1)
    assert extent(hanging, 1) > 3 * extent(hanging, 0)
    before = sim.hash()
    film = sim.show(0.1)
    film.save(tmp_path / "film.html")
    assert sim.hash() == before and "<canvas" not in film.html and 'id="film"' in film.html
    assert film._repr_html_().startswith("<iframe")


def test_environments_stay(pendulum):
    starts = [{"set": {"velocity": [speed]}} for speed in (0.0, 1.0, 2.0)]
    with nexdyn.Environments(pendulum, starts, threads=2) as envs:
        for _ in range(5):
            envs.step(np.full((3, 1), 0.5), 4)
        sim = nexdyn.load(pendulum)
        sim.v[0], sim.ctrl[0] = 2.0, 0.5
        sim.step(20)
        assert envs["position"][2, 0] == sim.q[0] and envs["velocity"][2, 0] == sim.v[0]
        envs.reset([2], [{"set": {"position": [0.25]}}])
        assert envs["position"][2, 0] == 0.25 and envs["position"][1, 0] != 0
        assert envs.status == ["running"] * 3
        with pytest.raises(nexdyn.NexdynError, match="shape"):
            envs.step(np.zeros((3, 2)))


def test_sensors_by_name(tmp_path):
    file = tmp_path / "scale.xml"
    file.write_text(
        """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body name="box" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/><site name="s" size="0.2"/></body>
        </worldbody><sensor><touch name="support" site="s"/><accelerometer name="felt" site="s"/></sensor></mujoco>"""
    )
    sim = nexdyn.load(file)
    sim.step(2000)
    # at rest the support carries the weight, and the box feels g upwards
    assert sim.sensor("support")[0] == pytest.approx(2 * 9.81, rel=1e-4)
    np.testing.assert_allclose(sim.sensors()["felt"], [0, 0, 9.81], atol=1e-3)
    with pytest.raises(nexdyn.NexdynError, match="support"):
        sim.sensor("suport")


@pytest.mark.parametrize("formulation", ["mujoco", "sap", "ccp", "ipc", "penalty"])
def test_single_steps_are_those_of_one_call(toss, formulation):
    one = nexdyn.load(toss, formulation=formulation)
    many = nexdyn.load(toss, formulation=formulation)
    for sim in (one, many):
        sim.v[0] = 0.3
    reports = [one.step() for _ in range(40)]
    last = many.step(40)
    assert one.hash() == many.hash()
    assert np.array_equal(one.q, many.q)
    assert (reports[-1].status, reports[-1].iterations, reports[-1].residual) == (last.status, last.iterations, last.residual)
    assert reports[-1].details == last.details
    assert all(report.steps == 1 for report in reports)
    # a state that was written between two steps is where the next begins
    one.q[2] = many.q[2] = 1.5
    one.step()
    many.step(2)
    one.step()
    assert one.hash() == many.hash()


def test_a_single_step_that_cannot_be_taken_says_why(toss):
    sim = nexdyn.load(toss)
    sim.v[0] = np.nan
    report = sim.step()
    assert report.status == "diverged"
    assert report.details["nonFinite"]["quantity"]


def test_pictures_through_the_cameras_of_the_file(tmp_path):
    file = tmp_path / "room.xml"
    file.write_text(
        """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
        <camera name="front" pos="0 -3 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
        <camera name="behind" pos="0 3 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
        <body name="ball" pos="0 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.5" rgba="1 0 0 1"/></body>
        </worldbody></mujoco>"""
    )
    sim = nexdyn.load(file)
    before = sim.hash()

    def redness(camera):
        picture = sim.picture(camera, width=80, height=60)
        assert picture.shape == (60, 80, 3) and picture.dtype == np.uint8
        return (picture[..., 0].astype(int) - picture[..., 1] - picture[..., 2]) > 60

    seen = redness("front")
    rows, columns = np.nonzero(seen)
    # a ball of radius r at distance d fills r/√(d² − r²) over tan 22.5° of half the height
    expected = 30 * 0.5 / np.sqrt(9 - 0.25) / np.tan(np.pi / 8)
    assert columns.max() - columns.min() + 1 == pytest.approx(2 * expected, abs=2)
    assert rows.mean() == pytest.approx(29.5, abs=1) and columns.mean() == pytest.approx(39.5, abs=1)
    # the other camera looks away from it
    assert not redness("behind").any()
    # moved by 0.5 m to the right, by 0.5/3 over tan 22.5° of half the height
    sim.q[0] = 0.5
    assert np.nonzero(redness("front"))[1].mean() == pytest.approx(39.5 + 30 * (0.5 / 3) / np.tan(np.pi / 8), abs=1)
    sim.q[0] = 0
    assert sim.hash() == before
    with pytest.raises(nexdyn.NexdynError, match="front"):
        sim.picture("frnt")
