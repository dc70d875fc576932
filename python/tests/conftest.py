import os
import subprocess
from pathlib import Path

import pytest

import nexdyn

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pendulum():
    """A rod on a hinge, released from horizontal."""
    world = nexdyn.scene("pendulum")
    arm = world.body("arm", position=[0, 0, 1])
    arm.hinge("shoulder", axis=[0, 1, 0], damping=0.01).capsule(from_=[0, 0, 0], to=[0.5, 0, 0], radius=0.03)
    world.motor("drive", joint="shoulder")
    return world


@pytest.fixture
def toss():
    """A ball thrown at the floor, and a cart that a motor pushes."""
    world = nexdyn.scene("toss").options(timestep=0.01, formulation="sap")
    world.plane("floor")
    world.body("ball", position=[0, 0, 0.3]).free().sphere(radius=0.1, density=500)
    world.body("cart", position=[1, 0, 0.5]).slide("x", axis=[1, 0, 0]).box(half_size=[0.1, 0.1, 0.1])
    world.motor("push", joint="x")
    return world


@pytest.fixture
def run_node():
    """Runs a program in Node beside the compiled packages; what it prints."""

    def run(program: str) -> str:
        node = os.environ.get("NEXDYN_NODE", "node")
        done = subprocess.run(
            [node, "--input-type=module", "-e", program], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run
