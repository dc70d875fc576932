"""NexDyn: rigid bodies, robots and soft bodies in contact, under four contact formulations, measured with one ruler.

>>> import nexdyn
>>> sim = nexdyn.load('robot.xml', formulation='sap')
>>> sim.step(100)
>>> sim.q, sim.v

``load`` opens MJCF, URDF and JSON; ``scene`` builds one in Python; ``compare`` runs a scene under several formulations;
``simulate_batch`` runs many environments on all cores. ``nexdyn.gym`` has environments for learning, ``nexdyn.torch`` and ``nexdyn.jax``
put steps into automatic differentiation.
"""

from ._engine import shutdown
from .batch import Batch, BatchResult, Environments, simulate_batch
from .compare import Comparison, compare
from .errors import EngineError, NexdynError
from .scene import Scene, scene
from .simulation import CONTACT, CONTACT_FORCE, Fit, Linearization, Model, Report, Rollout, Simulation, load

__version__ = "0.1.0"

__all__ = [
    "CONTACT",
    "CONTACT_FORCE",
    "Batch",
    "BatchResult",
    "Comparison",
    "EngineError",
    "Environments",
    "Fit",
    "Linearization",
    "Model",
    "NexdynError",
    "Report",
    "Rollout",
    "Scene",
    "Simulation",
    "compare",
    "load",
    "scene",
    "shutdown",
    "simulate_batch",
]
