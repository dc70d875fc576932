"""A scene that is simulated: the state as NumPy arrays, steps, contacts, energies and derivatives."""

from __future__ import annotations

import json
import os
import struct
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Union

import numpy as np
import numpy.typing as npt

from ._engine import Engine, get_engine
from .errors import EngineError, NexdynError
from .scene import Scene

#: Statuses of steps that were taken, as the engine counts them where it answers in numbers alone.
_TAKEN = ("converged", "iteration-limit", "stalled", "infeasible")
_ONE_NUMBER = struct.Struct("<d")

Formulation = Literal["mujoco", "sap", "ccp", "ipc", "penalty"]
Array = npt.NDArray[np.float64]
SceneLike = Union[str, "os.PathLike[str]", Scene, Mapping[str, Any]]

#: Numbers of a contact, as ``Simulation.contacts`` gives them. SI units, world axes; the normal points from shape 1 to shape 2.
CONTACT = np.dtype(
    [
        ("shape1", "i4"),
        ("shape2", "i4"),
        ("position", "f8", 3),
        ("normal", "f8", 3),
        ("gap", "f8"),
        ("friction", "f8", 5),
        ("area", "f8"),
    ]
)

#: A contact of the last step with the force and torque of shape 1 on shape 2 (world axes, N and N m). Mode: 0 open, 1 stick, 2 slide.
CONTACT_FORCE = np.dtype(
    CONTACT.descr + [("force", "f8", 3), ("torque", "f8", 3), ("normal_force", "f8"), ("mode", "u1")]
)


@dataclass(frozen=True)
class Report:
    """What the last step reports. Solvers that do not converge say so here; they never raise."""

    #: ``'converged'``, ``'iteration-limit'``, ``'stalled'``, ``'infeasible'``; ``'diverged'``, ``'unstable'``, ``'timed-out'`` where the step was not taken.
    status: str
    #: Iterations of the solver.
    iterations: int
    #: Residual when it stopped, in the solver's own measure.
    residual: float
    #: Steps that were taken or tried.
    steps: int
    #: Everything else: what was not finite, where energy appeared, which constraints contradict each other, ...
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def is_converged(self) -> bool:
        """Whether the solve met its tolerance."""
        return self.status == "converged"


@dataclass(frozen=True)
class Linearization:
    """The step near a state: δx⁺ = A δx + B δu + P δθ, δy = C δx + D δu + E δθ. See ``Simulation.linearize``."""

    A: Array
    B: Array
    P: Array
    F: Array
    C: Array
    D: Array
    E: Array
    #: Values of the outputs after the step.
    outputs: Array
    #: Names of rows and columns: ``state``, ``control``, ``parameter``, ``output``.
    names: dict[str, list[str]]
    #: Values of the parameters.
    parameters: Array
    #: Residual, modes, margins and kinks.
    report: dict[str, Any]


@dataclass(frozen=True)
class Fit:
    """What ``Simulation.fit`` found."""

    #: Fitted values by path.
    values: dict[str, float]
    #: Standard errors by path; infinite where the data cannot tell.
    errors: dict[str, float]
    #: Intervals of 95 % by path, if residuals are noise.
    intervals: dict[str, tuple[float, float]]
    is_converged: bool
    #: Root mean square of what is left, m and rad.
    rms: float
    #: Combinations of relative changes that the data cannot tell, by path.
    blind: list[dict[str, float]]
    #: Everything else: correlations, residuals, condition.
    details: dict[str, Any]


class Model:
    """Names and sizes of what is simulated."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.name: str = described["name"]
        self.description: str = described["description"]
        #: ``'joint'`` or ``'body'``.
        self.coordinates: str = described["coordinates"]
        self.formulation: str = described["formulation"]
        self.integrator: str = described["integrator"]
        #: s.
        self.timestep: float = described["timestep"]
        #: m/s².
        self.gravity: Array = np.array(described["gravity"])
        #: Counts: ``body``, ``joint``, ``position``, ``velocity``, ``actuator``, ``softVertex``, ...
        self.size: dict[str, int] = described["size"]
        self.bodies: list[str] = described["bodies"]
        self.joints: list[str] = described["joints"] or described["constraintJoints"]
        self.shapes: list[str] = described["shapes"]
        self.sites: list[str] = described["sites"]
        self.tendons: list[str] = described["tendons"]
        self.actuators: list[str] = described["actuators"]
        self.soft_bodies: list[str] = described["softBodies"]
        self.keyframes: list[str] = described["keyframes"]
        #: Sensors: ``name``, ``kind``, ``unit``, ``dimension`` and ``start`` among all readings, a list each.
        self.sensors: dict[str, Any] = described["sensors"]
        #: Per joint: first position, first dof, numbers that are no rotation, whether a quaternion follows.
        self.joint_layout: list[tuple[int, int, int, bool]] = _lay_out(described["jointKind"])
        #: Parts of the state: name, length, unit, doc.
        self.fields: list[dict[str, Any]] = described["fields"]

    @property
    def nq(self) -> int:
        """Numbers of the positions."""
        return self.size["position"]

    @property
    def nv(self) -> int:
        """Numbers of the velocities."""
        return self.size["velocity"]

    @property
    def nu(self) -> int:
        """Actuators."""
        return self.size["actuator"]

    def __repr__(self) -> str:
        return (
            f"<nexdyn.Model {self.name!r}: {len(self.bodies) - 1} bodies, nq {self.nq}, nv {self.nv}, nu {self.nu}, "
            f"{self.formulation}, {self.coordinates} coordinates, timestep {self.timestep} s>"
        )


class Simulation:
    """A simulation: a state and the steps that advance it. Make one with ``nexdyn.load``.

    ``q``, ``v``, ``ctrl`` and the other arrays are views on one block of numbers. Write into them, and the next call begins there;
    after each call they hold what it left. Hold on to the arrays as long as you like: they stay the same objects.

    >>> sim = nexdyn.load('robot.xml', formulation='sap')
    >>> sim.ctrl[:] = 0.1
    >>> sim.step(100).status
    'converged'
    >>> sim.q
    """

    def __init__(self, engine: Engine, opened: dict[str, Any]) -> None:
        self._engine = engine
        self._id: int = opened["sim"]
        self.model = Model(opened["model"])
        #: What the file asks for and NexDyn does not do: element, file, line, column.
        self.unsupported: list[dict[str, Any]] = opened["unsupported"]
        self._state = np.array(opened["state"])
        self._synced = self._state.copy()
        self._fields: dict[str, Array] = {}
        start = 0
        for part in self.model.fields:
            self._fields[part["name"]] = self._state[start : start + part["length"]]
            start += part["length"]
        self._finalizer = weakref.finalize(self, _close, engine, self._id)

    # state

    @property
    def state(self) -> Mapping[str, Array]:
        """All parts of the state by name; ``model.fields`` has their units and meanings."""
        return self._fields

    @property
    def q(self) -> Array:
        """Positions: m, rad, quaternions w x y z. Under ``coordinates='body'`` seven numbers per body."""
        return self._fields["position"]

    @q.setter
    def q(self, value: npt.ArrayLike) -> None:
        self._fields["position"][:] = value

    @property
    def v(self) -> Array:
        """Velocities: m/s, rad/s."""
        return self._fields["velocity"]

    @v.setter
    def v(self, value: npt.ArrayLike) -> None:
        self._fields["velocity"][:] = value

    @property
    def ctrl(self) -> Array:
        """Controls of the actuators."""
        return self._fields["control"]

    @ctrl.setter
    def ctrl(self, value: npt.ArrayLike) -> None:
        self._fields["control"][:] = value

    @property
    def applied_force(self) -> Array:
        """Generalised forces that you set, N and N m; they act in every step."""
        return self._fields["appliedForce"]

    @applied_force.setter
    def applied_force(self, value: npt.ArrayLike) -> None:
        self._fields["appliedForce"][:] = value

    @property
    def body_wrench(self) -> Array:
        """Force and torque at the centre of mass of each body that you set, world axes, N and N m: (bodies, 6)."""
        return self._fields["bodyWrench"].reshape(-1, 6)

    @property
    def soft_position(self) -> Array:
        """Vertices of all soft bodies, m: (vertices, 3)."""
        return self._fields["softPosition"].reshape(-1, 3)

    @property
    def soft_velocity(self) -> Array:
        """Velocities of the vertices of all soft bodies, m/s: (vertices, 3)."""
        return self._fields["softVelocity"].reshape(-1, 3)

    @property
    def time(self) -> float:
        """s."""
        return float(self._fields["time"][0])

    @property
    def timestep(self) -> float:
        """s."""
        return self.model.timestep

    # steps

    def step(self, n: int = 1) -> Report:
        """Advances by ``n`` steps and returns the report of the last.

        A step that cannot be taken (it overflows, creates energy without a cause, or takes too long) ends the call; the state stays as
        it was before it, and the report names the cause. Ctrl-C ends the call after the step under way.
        """
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool) or n < 1:
            raise NexdynError("invalid-argument", f"step({n!r}) is not a number of steps", hint="give a whole number, 1 or more")
        if n == 1:
            answer = self._step_once()
            if isinstance(answer, Report):
                return answer
        else:
            answer = self._request({"op": "step", "n": int(n), "interrupt": self._engine.interrupt_file})
        return Report(
            status=answer.pop("status"),
            iterations=answer.pop("iterations"),
            residual=answer.pop("residual"),
            steps=answer.pop("steps"),
            details={key: value for key, value in answer.items() if value is not None},
        )

    def forward(self) -> None:
        """Recomputes poses, velocities and all forces of the current state without advancing."""
        self._request({"op": "forward"})

    def reset(self, keyframe: str | int | None = ...) -> None:  # type: ignore[assignment]
        """Back to a keyframe by name or number; without one to the first, or the initial pose; ``None`` is the initial pose."""
        self._request({"op": "reset"} if keyframe is ... else {"op": "reset", "keyframe": keyframe})

    def snapshot(self) -> Array:
        """A copy of everything that decides the future."""
        return np.array(self._request({"op": "snapshot"}))

    def restore(self, snapshot: npt.ArrayLike) -> None:
        """Returns to a snapshot of a simulation of the same model."""
        self._request({"op": "restore", "snapshot": np.asarray(snapshot, dtype=np.float64)})

    def hash(self) -> str:
        """Hash of the state's bytes: equal states, equal hash, here and in JavaScript, on every machine."""
        return self._request({"op": "hash"})

    # read-outs

    def contacts(self) -> npt.NDArray[np.void]:
        """The contacts of the current state as a structured array (see ``nexdyn.CONTACT``)."""
        return _read_contacts(self._request({"op": "contacts", "solved": False}), CONTACT)

    def contact_forces(self) -> npt.NDArray[np.void]:
        """The contacts of the last step with their forces as a structured array (see ``nexdyn.CONTACT_FORCE``)."""
        return _read_contacts(self._request({"op": "contacts", "solved": True}), CONTACT_FORCE)

    def read(self, name: str) -> Array:
        """An array by name, of the current state: ``'body_position'``, ``'body_orientation'``, ``'site_position'``, ``'actuator_force'``, ..."""
        return np.array(self._request({"op": "read", "field": _camel(name)}))

    @property
    def body_position(self) -> Array:
        """Per body (the world first): origin of its frame, m: (bodies, 3)."""
        return self.read("body_position")

    @property
    def body_orientation(self) -> Array:
        """Per body: quaternion w x y z: (bodies, 4)."""
        return self.read("body_orientation")

    @property
    def site_position(self) -> Array:
        """Per site: position, m: (sites, 3)."""
        return self.read("site_position")

    def pose(self, body: str | int) -> tuple[Array, Array]:
        """Position (m) and orientation (w x y z) of a body in the world."""
        answer = self._call("pose", body)
        return np.array(answer["position"]), np.array(answer["orientation"])

    def velocity(self, body: str | int) -> tuple[Array, Array]:
        """Velocity of the origin of a body (m/s) and angular velocity (rad/s), world axes."""
        answer = self._call("velocity", body)
        return np.array(answer["linear"]), np.array(answer["angular"])

    def set_pose(self, body: str | int, position: Sequence[float] | None = None, orientation: Sequence[float] | None = None) -> None:
        """Places a body with a free joint, or a mocap body."""
        self._call("setPose", body, {"position": _list(position), "orientation": _list(orientation)})

    def set_velocity(self, body: str | int, linear: Sequence[float] | None = None, angular: Sequence[float] | None = None) -> None:
        """Sets the velocity of a body with a free joint."""
        self._call("setVelocity", body, {"linear": _list(linear), "angular": _list(angular)})

    def joint_position(self, joint: str | int) -> Array:
        """Position of a joint, in both coordinates: 1 number for hinge and slide, 4 for a ball, 7 for a free joint."""
        return np.array(self._call("jointPositions", joint), dtype=np.float64)

    def joint_velocity(self, joint: str | int) -> Array:
        """Velocity of a joint, in both coordinates: 1 number for hinge and slide, 3 for a ball, 6 for a free joint."""
        return np.array(self._call("jointVelocities", joint), dtype=np.float64)

    def apply_force(self, body: str | int, force: Sequence[float], *, torque: Sequence[float] | None = None, point: Sequence[float] | None = None) -> None:
        """Adds a force on a body (N, world axes); it acts in every step until ``clear_forces``."""
        self._call("applyForce", body, {"force": _list(force), "torque": _list(torque), "point": _list(point)})

    def clear_forces(self) -> None:
        """Removes all forces that you have set."""
        self._call("clearForces")

    def energy(self) -> dict[str, float]:
        """J, by kind."""
        return self._call("energy")

    def momentum(self) -> dict[str, Any]:
        """kg m/s, and kg m²/s about the origin."""
        return self._call("momentum")

    def center_of_mass(self) -> Array:
        """Of all moving bodies, m."""
        return np.array(self._call("centerOfMass"))

    def joint_forces(self) -> dict[str, dict[str, Array]]:
        """What each joint transmitted in the last step: force (N) and torque (N m) of the parent on the child, world axes."""
        return {
            item["joint"]: {"force": np.array(item["force"]), "torque": np.array(item["torque"])}
            for item in self._call("jointForces")
        }

    def cast_ray(self, origin: Sequence[float], direction: Sequence[float]) -> dict[str, Any] | None:
        """The first shape that a ray meets."""
        return self._call("castRay", _list(origin), _list(direction))

    def closest_points(self, shape1: str | int, shape2: str | int) -> dict[str, Any]:
        """The nearest points of two shapes; the gap is negative where they overlap."""
        return self._call("closestPoints", shape1, shape2)

    def soft_field(self, body: str | int, quantity: str) -> Array:
        """A quantity of every vertex of a soft body, as in ``'vonMises'`` (Pa)."""
        return np.array(self._call("softField", body, quantity))

    def sensors(self) -> dict[str, Array]:
        """Readings of all sensors by name, of the last step; ``model.sensors['unit']`` has their units."""
        table = self.model.sensors
        readings = self._request({"op": "sensors"})
        places = zip(table["name"], table["start"], table["dimension"], strict=False)
        return {name or str(i): np.array(readings[start : start + size]) for i, (name, start, size) in enumerate(places)}

    def sensor(self, name: str) -> Array:
        """What a sensor reads."""
        found = self.sensors()
        if name not in found:
            raise NexdynError("unknown-reference", f"there is no sensor {name!r}", hint=f"there are {', '.join(found) or 'none'}")
        return found[name]

    @property
    def unresolved(self) -> list[str]:
        """What the formulation does not resolve of this scene, in words; empty where the motion is complete."""
        return self._request({"op": "unresolved"})

    def convergence(self) -> list[dict[str, Array]]:
        """Cost, residual and step length of every iteration of the last step, one entry per island."""
        trace = self._request({"op": "convergence"})
        cuts = zip(trace["start"][:-1], trace["start"][1:], strict=True)
        return [{name: np.array(trace[name][a:b]) for name in ("cost", "residual", "step")} for a, b in cuts]

    def measure(self, on: bool = True) -> None:
        """Measures the steps from now on with the ruler's metrics, which are the same for every formulation. See ``metrics``."""
        self._request({"op": "measure", "on": on})

    def metrics(self) -> dict[str, Any]:
        """What ``measure`` found: ``last`` step, and ``summary`` over all of them."""
        answer = self._request({"op": "metrics"})
        if answer is None:
            raise NexdynError("invalid-argument", "nothing was measured", hint="call measure() before the steps")
        return answer

    def scene(self) -> Scene:
        """The scene as plain data."""
        return Scene.from_dict(json.loads(self._request({"op": "scene"})))

    # derivatives

    def linearize(
        self,
        inputs: Sequence[str] = ("state", "control"),
        outputs: Sequence[str] = (),
        *,
        method: Literal["implicit", "difference"] = "implicit",
        check: bool = False,
    ) -> Linearization:
        """Derivatives of the next step on the tangent space of the state (nv numbers for positions, nv for velocities, activations).

        Args:
            inputs: ``'state'``, ``'control'``, ``'appliedForce'``, and paths of parameters such as ``'bodies.cube.mass'``.
            outputs: numbers besides the next state.
            method: implicit function theorem, or centred differences of whole steps.
            check: compare with centred differences; the report names the worst entry.
        """
        options = {"inputs": list(inputs), "outputs": list(outputs), "method": method, "check": check}
        return Linearization(**_own(self._request({"op": "linearize", "options": options})))

    def jvp(
        self,
        *,
        state: npt.ArrayLike | None = None,
        control: npt.ArrayLike | None = None,
        parameters: Mapping[str, float] | None = None,
        method: str = "implicit",
    ) -> dict[str, Any]:
        """How the next state changes along a direction of state, controls and parameters."""
        direction = {"state": _vector(state), "control": _vector(control), "parameters": dict(parameters or {})}
        return _own(self._request({"op": "jvp", "direction": direction, "options": {"method": method}}))

    def vjp(
        self,
        state: npt.ArrayLike,
        *,
        parameters: Sequence[str] = (),
        method: str = "implicit",
    ) -> dict[str, Any]:
        """Gradient of ``state · next state`` by state, control and parameters of the step."""
        options = {"inputs": ["state", "control", *parameters], "method": method}
        return _own(self._request({"op": "vjp", "cotangent": {"state": _vector(state)}, "options": options}))

    def rollout(
        self,
        controls: npt.ArrayLike | None = None,
        *,
        steps: int | None = None,
        parameters: Sequence[str] = (),
        method: str = "implicit",
    ) -> Rollout:
        """Takes steps from the current state on a copy, which can be gone through backwards. The simulation stays as it is.

        Args:
            controls: one row per step: (steps, nu).
            steps: where there are no controls.
            parameters: paths by which ``backward`` also gives gradients.
        """
        rows = None if controls is None else np.ascontiguousarray(controls, dtype=np.float64)
        if rows is not None and self.model.nu > 0 and (rows.ndim != 2 or rows.shape[1] != self.model.nu):
            raise NexdynError(
                "invalid-argument",
                f"controls have shape {rows.shape}",
                hint=f"one row of {self.model.nu} numbers per step",
            )
        count = steps if steps is not None else (0 if rows is None else len(rows))
        options = {"steps": int(count), "parameters": list(parameters), "method": method}
        flat = None if rows is None or rows.size == 0 else rows.reshape(-1)
        return Rollout(self, self._request({"op": "rollout", "controls": flat, "options": options}))

    def fit(
        self,
        parameters: Sequence[str],
        *,
        time: npt.ArrayLike,
        q: npt.ArrayLike,
        v: npt.ArrayLike | None = None,
        control: npt.ArrayLike | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        iterations: int = 30,
    ) -> Fit:
        """Parameters of the scene from a recorded motion, by Gauss-Newton. The simulation stays as it is.

        Args:
            parameters: paths, as in ``['bodies.cube.mass', 'shapes.floor.friction']``.
            time: of each frame, s, multiples of the time step.
            q: positions, one row per frame. v: velocities, of which the first row counts. control: one row per frame.
            bounds: lower and upper bound by path.
        """
        data = {"time": _vector(time), "position": _vector(q), "velocity": _vector(v), "control": _vector(control)}
        options = {
            "parameters": list(parameters),
            "data": {key: value for key, value in data.items() if value is not None},
            "bounds": {key: list(value) for key, value in (bounds or {}).items()},
            "iterations": int(iterations),
        }
        answer = _own(self._request({"op": "fit", "options": options}))
        return Fit(
            values={item["path"]: item["value"] for item in answer["parameters"]},
            errors={item["path"]: item["error"] for item in answer["parameters"]},
            intervals={item["path"]: tuple(item["interval"]) for item in answer["parameters"]},
            is_converged=answer["isConverged"],
            rms=answer["rms"],
            blind=answer["blind"],
            details=answer,
        )

    # pictures

    def picture(
        self,
        camera: str | int | None = None,
        *,
        width: int = 640,
        height: int = 480,
        follow: str | int | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
        distance: float | None = None,
        target: Sequence[float] | None = None,
    ) -> npt.NDArray[np.uint8]:
        """A picture of the current state: (height, width, 3) bytes, without a graphics card or a browser.

        Args:
            camera: one of the scene, by name or number; then nothing below counts.
            follow: a body that the camera looks at; the middle of what moves where it is left out.
            azimuth, elevation: of the camera, rad. distance: m. target: point looked at, m.
        """
        place = {"azimuth": azimuth, "elevation": elevation, "distance": distance, "target": _list(target)}
        options = {"width": width, "height": height, "follow": follow}
        options["camera"] = {key: value for key, value in place.items() if value is not None} if camera is None else camera
        return np.array(self._request({"op": "picture", "options": options}))

    def show(self, seconds: float = 5.0, *, height: int = 420) -> Any:
        """A replay of the next seconds in a notebook, to be turned and scrubbed; the simulation stays as it is."""
        from .notebook import show

        return show(self, seconds, height=height)

    def close(self) -> None:
        """Lets the simulation go. It happens by itself when nobody uses it any more."""
        self._finalizer()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<nexdyn.Simulation of {self.model!r} at {self.time:.6g} s>"

    # inside

    def _check_open(self) -> None:
        if not self._finalizer.alive:
            raise NexdynError("invalid-argument", "the simulation is closed", hint="load it again")
        if self._engine is not get_engine():
            raise EngineError("the engine of this simulation has ended: load it again")

    def _step_once(self) -> Any:
        """A report, or the answer to ``step`` where there is more to say."""
        self._check_open()
        request = _ONE_NUMBER.pack(self._id)
        state = self._state.tobytes()
        if state != self._synced.tobytes():
            request += state
        answer = self._engine.step_once(request)
        if isinstance(answer, dict):
            self._state[:] = answer.pop("stateAfter")
            self._synced[:] = self._state
            return answer
        status, iterations, residual = answer[:3].tolist()
        self._state[:] = self._synced[:] = answer[3:]
        return Report(status=_TAKEN[int(status)], iterations=int(iterations), residual=residual, steps=1)

    def _request(self, request: dict[str, Any]) -> Any:
        self._check_open()
        request["sim"] = self._id
        if not np.array_equal(self._state, self._synced):
            request["state"] = self._state
        answer = self._engine.request(request)
        # what was sent is there now, whatever the answer holds
        if isinstance(answer, dict) and "stateAfter" in answer:
            self._state[:] = answer.pop("stateAfter")
        self._synced[:] = self._state
        return answer

    def _call(self, method: str, *args: Any) -> Any:
        return self._request({"op": "call", "method": method, "args": list(args)})["result"]


class Rollout:
    """Steps that can be gone through backwards. Row k of ``q`` and ``v`` is the state after k steps."""

    def __init__(self, simulation: Simulation, answer: dict[str, Any]) -> None:
        self._engine = simulation._engine
        self._id: int = answer["rollout"]
        self.steps: int = answer["steps"]
        #: Positions: (steps + 1, nq).
        self.q: Array = np.array(answer["position"])
        #: Velocities: (steps + 1, nv).
        self.v: Array = np.array(answer["velocity"])
        #: Snapshot of the end.
        self.end: Array = np.array(answer["end"])
        self._finalizer = weakref.finalize(self, _close, self._engine, self._id)

    def backward(self, gradient: npt.ArrayLike) -> dict[str, Any]:
        """Gradient of a loss by the first state, all controls and the parameters.

        Args:
            gradient: of the loss by the last state on its tangent space (2 nv numbers and activations), or one such row per state:
                (steps + 1, 2 nv).
        """
        rows = np.ascontiguousarray(gradient, dtype=np.float64)
        if rows.ndim == 2 and len(rows) != self.steps + 1:
            raise NexdynError("invalid-argument", f"{len(rows)} rows of gradients", hint=f"one for each of {self.steps + 1} states")
        request = {"op": "backward", "rollout": self._id, "gradient": rows.reshape(-1), "isByStep": rows.ndim == 2}
        return _own(self._engine.request(request))


#: Numbers besides a quaternion, and whether there is one, by kind of joint: free, ball, slide, hinge.
_JOINT_KINDS = {0: (3, True), 1: (0, True), 2: (1, False), 3: (1, False)}


def _lay_out(kinds: Iterable[int]) -> list[tuple[int, int, int, bool]]:
    layout = []
    position = dof = 0
    for kind in kinds:
        count, quaternion = _JOINT_KINDS[int(kind)]
        layout.append((position, dof, count, quaternion))
        position += count + 4 * quaternion
        dof += count + 3 * quaternion
    return layout


def load(
    scene: SceneLike,
    *,
    formulation: Formulation | str | None = None,
    coordinates: Literal["joint", "body"] | None = None,
    timestep: float | None = None,
    set: Mapping[str, Any] | None = None,
    keyframe: str | int | None = ...,  # type: ignore[assignment]
    allow_outside: bool = False,
    limits: Mapping[str, float] | None = None,
) -> Simulation:
    """Loads a scene and makes a simulation of it.

    Args:
        scene: an MJCF, URDF or JSON file, a scene of the gallery by name (``'arch'``), a ``Scene``, or its dictionary.
        formulation: ``'mujoco'``, ``'sap'``, ``'ccp'``, ``'ipc'`` or ``'penalty'``; the scene decides where it is left out.
        coordinates: ``'joint'`` or ``'body'``; the formulation decides where it is left out.
        timestep: s; the scene decides where it is left out.
        set: values of the scene to replace, by path, as after ``--set``: ``{'gravity': [0, 0, -1.62], 'mujoco.iterations': 20,
            'bodies.cube.mass': 2}``.
        keyframe: where to begin; ``None`` is the initial pose.
        allow_outside: allow the file to refer to files outside its folder.
        limits: limits of readers to raise or lower, as in ``{'fileBytes': 1e9}``.
    """
    engine = get_engine()
    request = {"op": "open", **_source(scene, allow_outside, limits, set)}
    request["compile"] = _compile(formulation, coordinates, timestep)
    if keyframe is not ...:
        request["keyframe"] = keyframe
    return Simulation(engine, engine.request(request))


def _source(
    scene: SceneLike,
    allow_outside: bool = False,
    limits: Mapping[str, float] | None = None,
    changes: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    pairs = [f"{key}={json.dumps(_plain(value))}" for key, value in (changes or {}).items()] or None
    if isinstance(scene, (str, os.PathLike)):
        file = os.path.abspath(scene) if os.path.exists(scene) else os.fspath(scene)
        return {"file": file, "allowOutside": allow_outside, "limits": dict(limits) if limits else None, "set": pairs}
    return {**(scene._source() if isinstance(scene, Scene) else {"scene": dict(scene)}), "set": pairs}


def _compile(formulation: str | None, coordinates: str | None, timestep: float | None) -> dict[str, Any]:
    chosen = {"formulation": formulation, "coordinates": coordinates, "timestep": timestep}
    return {key: value for key, value in chosen.items() if value is not None}


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _close(engine: Engine, item: int) -> None:
    try:
        if engine.is_alive:
            engine.request({"op": "close", "id": item})
    except (EngineError, OSError):
        pass


def _read_contacts(answer: dict[str, Any], dtype: np.dtype[np.void]) -> npt.NDArray[np.void]:
    out = np.zeros(answer["count"], dtype=dtype)
    for name in ("shape1", "shape2", "position", "gap", "friction", "area"):
        out[name] = answer[name]
    out["normal"] = answer["frame"][:, 0]
    if dtype is CONTACT_FORCE:
        # rows of the frame are normal and tangents
        frame, force = answer["frame"], answer["force"]
        out["force"] = np.einsum("nij,ni->nj", frame, force[:, :3])
        out["torque"] = np.einsum("nij,ni->nj", frame, force[:, 3:])
        out["normal_force"] = force[:, 0]
        out["mode"] = answer["mode"]
    return out


def _own(answer: Any) -> Any:
    """Copies of the arrays in an answer, which otherwise keep its bytes."""
    if isinstance(answer, np.ndarray):
        return answer.copy()
    if isinstance(answer, dict):
        return {key: _own(value) for key, value in answer.items()}
    return [_own(item) for item in answer] if isinstance(answer, list) else answer


def _vector(value: npt.ArrayLike | None) -> Array | None:
    return None if value is None else np.ascontiguousarray(value, dtype=np.float64).reshape(-1)


def _list(value: Iterable[float] | None) -> list[float] | None:
    return None if value is None else [float(number) for number in value]


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
