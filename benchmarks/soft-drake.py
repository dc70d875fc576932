"""Time per step of a soft cantilever in Drake: python soft-drake.py MESH.vtk YOUNG NU DENSITY BETA H STEPS ROUNDS LAW

Prints the least processor time per step over the rounds, ms, and the sag of the end, mm.
LAW is corotated, solved by Newton steps as ours, or linearCorotated, the default of Drake, whose rotations are those at the start of a step.
"""
import sys
import time

import numpy as np
from pydrake.geometry import GeometryInstance, Mesh, ProximityProperties
from pydrake.math import RigidTransform
from pydrake.multibody.fem import DeformableBodyConfig, MaterialModel
from pydrake.multibody.plant import AddMultibodyPlant, MultibodyPlantConfig
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

mesh, young, nu, density, beta, h = sys.argv[1], *map(float, sys.argv[2:7])
steps, rounds = int(sys.argv[7]), int(sys.argv[8])
LAWS = {"corotated": MaterialModel.kCorotated, "linearCorotated": MaterialModel.kLinearCorotated}

builder = DiagramBuilder()
config = MultibodyPlantConfig(time_step=h, discrete_contact_approximation="sap")
plant, scene_graph = AddMultibodyPlant(config, builder)
model = plant.mutable_deformable_model()
body_config = DeformableBodyConfig()
body_config.set_youngs_modulus(young)
body_config.set_poissons_ratio(nu)
body_config.set_mass_density(density)
body_config.set_stiffness_damping_coefficient(beta)
body_config.set_material_model(LAWS[sys.argv[9]])
instance = GeometryInstance(RigidTransform(), Mesh(mesh), "beam")
instance.set_proximity_properties(ProximityProperties())
body = model.RegisterDeformableBody(instance, body_config, 1.0)
model.SetWallBoundaryCondition(body, np.array([-0.5 + 1e-6, 0, 0]), np.array([1.0, 0, 0]))
plant.Finalize()
diagram = builder.Build()
simulator = Simulator(diagram)
simulator.Initialize()
context = plant.GetMyContextFromRoot(simulator.get_context())


def positions():
    state = context.get_discrete_state(model.GetDiscreteStateIndex(body)).value()
    return state[: len(state) // 3].reshape(-1, 3)


start = positions().copy()
end = start[:, 0] > 0.5 - 1e-9
simulator.AdvanceTo(steps * h)
best = float("inf")
done = steps
for _ in range(rounds):
    begin = time.process_time()
    done += steps
    simulator.AdvanceTo(done * h)
    best = min(best, (time.process_time() - begin) / steps)
sag = -(positions()[end, 2] - start[end, 2]).mean()
print(f"{1000 * best:.3f} {1000 * sag:.2f}")
