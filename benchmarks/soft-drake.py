"""Time per step of a soft body in Drake: python soft-drake.py SCENE MESH.vtk YOUNG NU DENSITY BETA H STEPS ROUNDS LAW

SCENE is beam, clamped where x is least, or ball, which falls on a plane. Prints the least processor time per step over the rounds, ms, and the
sag of the end of the beam or the height of the top of the ball, mm.
LAW is corotated, solved by Newton steps as ours, or linearCorotated, the default of Drake, whose rotations are those at the start of a step.
"""
import sys
import time

import numpy as np
from pydrake.geometry import AddContactMaterial, AddRigidHydroelasticProperties, Box, GeometryInstance, Mesh, ProximityProperties
from pydrake.math import RigidTransform
from pydrake.multibody.fem import DeformableBodyConfig, MaterialModel
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

scene, mesh = sys.argv[1], sys.argv[2]
young, nu, density, beta, h = map(float, sys.argv[3:8])
steps, rounds = int(sys.argv[8]), int(sys.argv[9])
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
body_config.set_material_model(LAWS[sys.argv[10]])
instance = GeometryInstance(RigidTransform(), Mesh(mesh), "soft")
properties = ProximityProperties()
if scene == "ball":
    AddContactMaterial(friction=CoulombFriction(0.5, 0.5), properties=properties)
    ground = ProximityProperties()
    AddContactMaterial(friction=CoulombFriction(0.5, 0.5), properties=ground)
    AddRigidHydroelasticProperties(1.0, ground)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform([0, 0, -0.1]), Box(1, 1, 0.2), "ground", ground)
instance.set_proximity_properties(properties)
body = model.RegisterDeformableBody(instance, body_config, 1.0)
if scene == "beam":
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
simulator.AdvanceTo(steps * h)
best = float("inf")
done = steps
for _ in range(rounds):
    begin = time.process_time()
    done += steps
    simulator.AdvanceTo(done * h)
    best = min(best, (time.process_time() - begin) / steps)
if scene == "beam":
    end = start[:, 0] > 0.5 - 1e-9
    found = -(positions()[end, 2] - start[end, 2]).mean()
else:
    found = positions()[:, 2].max()
print(f"{1000 * best:.3f} {1000 * found:.2f}")
