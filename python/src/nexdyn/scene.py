"""Scenes, written in Python: each method adds one thing. Options have the names of the scene's JSON in snake case.

>>> world = nexdyn.scene('pendulum')
>>> arm = world.body('arm', position=[0, 0, 1])
>>> arm.hinge('shoulder', axis=[0, 1, 0]).capsule(from_=[0, 0, 0], to=[0.5, 0, 0], radius=0.03)
>>> sim = nexdyn.load(world)
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from ._engine import get_engine

Self = TypeVar("Self", bound="Frame")


def _adds(method: str, doc: str) -> Callable[..., Any]:
    """A method that records a call of the builder of the engine and returns what it was called on."""

    def add(self: Self, name: str | None = None, **options: Any) -> Self:
        self._scene._record(self._target, method, name, options)
        return self

    add.__name__ = add.__qualname__ = method
    add.__doc__ = f"{doc}\n\nOptions: see the fields of docs/scene.md, in snake case."
    return add


class Frame:
    """What the world and bodies have in common: shapes, sites and bodies in their frame."""

    _scene: Scene
    _target: int

    plane = _adds("plane", "Adds a plane, endless; its normal is z of its frame.")
    sphere = _adds("sphere", "Adds a sphere (``radius``).")
    capsule = _adds("capsule", "Adds a capsule: ``radius`` and ``half_length``, or from one point to another: ``from_``, ``to``.")
    cylinder = _adds("cylinder", "Adds a cylinder: ``radius`` and ``half_length``, or from one point to another: ``from_``, ``to``.")
    ellipsoid = _adds("ellipsoid", "Adds an ellipsoid (``radii``).")
    box = _adds("box", "Adds a box (``half_size``).")
    convex_mesh = _adds("convexMesh", "Adds the convex hull of a mesh of the scene.")
    triangle_mesh = _adds("triangleMesh", "Adds a mesh of the scene as it is, hollows included.")
    terrain = _adds("terrain", "Adds a height field of the scene.")
    signed_distance = _adds("signedDistance", "Adds a signed-distance field of the scene.")
    site = _adds("site", "Adds a marked point.")

    def body(self, name: str | None = None, **options: Any) -> Body:
        """Adds a body whose parent this is, and returns it."""
        self._scene._record(self._target, "body", name, options)
        self._scene._bodies += 1
        return Body(self._scene, self._scene._bodies)


class Body(Frame):
    """A body of a scene. Without joints it is fixed to its parent."""

    def __init__(self, scene: Scene, target: int) -> None:
        self._scene = scene
        self._target = target

    free = _adds("free", "Lets the body move freely; its parent must be the world.")
    ball = _adds("ball", "Lets it turn about a point.")
    hinge = _adds("hinge", "Lets it turn about an axis (``axis``).")
    slide = _adds("slide", "Lets it slide along an axis (``axis``).")


class Scene(Frame):
    """A scene under construction; shapes, sites and bodies added to it belong to the world. Make one with ``nexdyn.scene``."""

    def __init__(self, name: str | None = None) -> None:
        self._scene = self
        self._target = 0
        self._name = name
        self._bodies = 0
        self._calls: list[list[Any]] = []
        self._data: dict[str, Any] | None = None

    material = _adds("material", "Adds a material that shapes name.")
    mesh = _adds("mesh", "Adds a mesh that shapes and soft bodies name.")
    height_field = _adds("heightField", "Adds a height field that ``terrain`` names.")
    soft_body = _adds("softBody", "Adds a soft body: a solid, cloth or a rod.")
    connect = _adds("connect", "A point of one body stays on a point of the other.")
    weld = _adds("weld", "Two bodies keep their relative pose.")
    couple_joints = _adds("coupleJoints", "One joint follows another, or is held.")
    couple_tendons = _adds("coupleTendons", "One tendon follows another, or is held.")
    rod = _adds("rod", "Two points keep their distance.")
    fixed_tendon = _adds("fixedTendon", "A weighted sum of joint positions (``weights`` by joint).")
    spatial_tendon = _adds("spatialTendon", "A path through sites and around shapes.")
    motor = _adds("motor", "Force = control.")
    position_servo = _adds("positionServo", "A servo that holds a position.")
    velocity_servo = _adds("velocityServo", "A servo that holds a velocity.")
    general_actuator = _adds("generalActuator", "Force affine in control or activation, length and velocity.")
    pair = _adds("pair", "Two shapes with contact parameters of their own.")
    exclude = _adds("exclude", "Two bodies that never touch.")
    keyframe = _adds("keyframe", "A stored state; the first is where a simulation begins.")

    def description(self, text: str) -> Scene:
        """What the scene shows, in a sentence."""
        self._calls.append([0, "description", text])
        return self

    def options(self, **options: Any) -> Scene:
        """Sets options such as ``timestep``, ``gravity``, ``formulation``, ``integrator``; those of a formulation in a dictionary."""
        self._calls.append([0, "options", _convert(options)])
        return self

    def term(self, **term: Any) -> Scene:
        """Adds an energy to the step: a spring network, a magnet, wind."""
        self._calls.append([0, "term", _convert(term)])
        return self

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain data, checked; raises ``NexdynError`` with the path of the first fault."""
        if self._data is not None:
            return self._data
        answer = get_engine().request({"op": "readScene", **self._source()})
        return json.loads(answer["scene"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scene as JSON, for the command line and the studio."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(get_engine().request({"op": "readScene", **self._source()})["scene"])

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Scene:
        """A finished scene from plain data."""
        scene = Scene(data.get("name"))
        scene._data = dict(data)
        return scene

    def _source(self) -> dict[str, Any]:
        if self._data is not None:
            return {"scene": self._data}
        return {"calls": self._calls, "name": self._name}

    def _record(self, target: int, method: str, name: str | None, options: dict[str, Any]) -> None:
        converted = _convert(options)
        self._calls.append([target, method, converted] if name is None else [target, method, name, converted])

    def __repr__(self) -> str:
        return f"<nexdyn.Scene {self._name!r}>"


def scene(name: str | None = None) -> Scene:
    """Begins a scene."""
    return Scene(name)


def _convert(value: Any) -> Any:
    """Plain data with keys in camel case; a trailing underscore is for words that Python keeps, as in ``from_``."""
    if isinstance(value, dict):
        return {_key(str(key)): _convert(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_convert(item) for item in value]
    return value


def _key(key: str) -> str:
    first, *rest = key.rstrip("_").split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)
