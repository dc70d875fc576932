"""The falling boxes of piles.mjs in Drake's SAP: python piles-drake.py PILE.json STEPS

PILE.json is what `node benchmarks/piles-drake.mjs SIZE` prints. Prints processor time and contacts of every ten steps. Drake has one point for a
pair of boxes. Its iterations are not to be had from Python; gdb counts the calls of their search direction:

  gdb --batch -x piles-drake-count.py --args python piles-drake.py PILE.json STEPS
"""
import json
import sys
import time

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddContactMaterial, Box, HalfSpace, ProximityProperties
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

with open(sys.argv[1]) as file:
    pile = json.load(file)
steps = int(sys.argv[2])
h = pile["h"]


def material():
    properties = ProximityProperties()
    friction = CoulombFriction(pile["friction"], pile["friction"])
    AddContactMaterial(point_stiffness=pile["stiffness"], friction=friction, properties=properties)
    properties.AddProperty("material", "relaxation_time", pile["dissipation"])
    return properties


builder = DiagramBuilder()
plant, _ = AddMultibodyPlant(MultibodyPlantConfig(time_step=h, discrete_contact_approximation="sap"), builder)
plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "floor", material())
bodies = []
for i, box in enumerate(pile["boxes"]):
    size = 2 * np.array(box["halfSize"])
    body = plant.AddRigidBody(f"box {i}", SpatialInertia.SolidBoxWithMass(pile["density"] * size.prod(), *size))
    plant.RegisterCollisionGeometry(body, RigidTransform(), Box(*size), f"box {i}", material())
    bodies.append(body)
plant.set_sap_near_rigid_threshold(pile["nearRigid"])
plant.Finalize()
diagram = builder.Build()
simulator = Simulator(diagram)
context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
for body, box in zip(bodies, pile["boxes"]):
    turn = Quaternion(np.array(box["orientation"]) / np.linalg.norm(box["orientation"]))
    plant.SetFreeBodyPose(context, body, RigidTransform(turn, box["position"]))
simulator.Initialize()
for first in range(0, steps, 10):
    begin = time.process_time()
    simulator.AdvanceTo((first + 10) * h)
    spent = time.process_time() - begin
    contacts = plant.get_contact_results_output_port().Eval(context).num_point_pair_contacts()
    print(f"steps {first} to {first + 10}: {100 * spent:.2f} ms, {contacts} contacts", flush=True)
