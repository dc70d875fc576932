"""Time per step of a soft cantilever as a flex in MuJoCo: python soft-mujoco.py MESH.json YOUNG NU DENSITY BETA H STEPS ROUNDS

MESH.json has flat lists `points`, `tetrahedra` and `pinned`. Prints the least processor time per step over the rounds, ms, the sag of the end, mm,
and 1 if all numbers stayed finite. The integrator is `discrete`, which takes elasticity implicitly at long steps.
"""
import json
import sys
import time

import mujoco
import numpy as np

with open(sys.argv[1], encoding="utf8") as file:
    mesh = json.load(file)
young, nu, density, beta, h = map(float, sys.argv[2:7])
steps, rounds = int(sys.argv[7]), int(sys.argv[8])
points = np.array(mesh["points"]).reshape(-1, 3)
cells = np.array(mesh["tetrahedra"]).reshape(-1, 4)
edges = points[cells[:, 1:]] - points[cells[:, :1]]
mass = float(density * np.abs(np.linalg.det(edges)).sum() / 6)


def words(numbers):
    return " ".join(map(repr, np.asarray(numbers).ravel().tolist()))


model = mujoco.MjModel.from_xml_string(
    f"""<mujoco><option timestep="{h!r}" gravity="0 0 -9.81" integrator="discrete"/>
<worldbody><flexcomp name="beam" type="direct" dim="3" radius="0.001" mass="{mass!r}" point="{words(points)}" element="{words(cells)}">
<elasticity young="{young!r}" poisson="{nu!r}" damping="{beta!r}"/><contact contype="0" conaffinity="0" selfcollide="none"/>
<edge equality="false"/><pin id="{words(mesh['pinned'])}"/></flexcomp></worldbody></mujoco>"""
)
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
end = points[:, 0] > points[:, 0].max() - 1e-9
start = data.flexvert_xpos[end, 2].mean()
for _ in range(steps):
    mujoco.mj_step(model, data)
best = float("inf")
for _ in range(rounds):
    begin = time.process_time()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    best = min(best, (time.process_time() - begin) / steps)
sag = start - data.flexvert_xpos[end, 2].mean()
isFinite = bool(np.isfinite(data.qpos).all()) and data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number == 0
print(f"{1000 * best:.4f} {1000 * sag:.3f} {int(isFinite)}")
