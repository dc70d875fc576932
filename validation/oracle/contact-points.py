"""Contacts of MuJoCo (Python) in random poses of two shapes, as JSON: python contact-points.py [poses per pair] > contact-points.json

The first shape stays at the origin; the second is placed so that they touch. `flat` poses put faces on each other with tilts of 3e-4 rad.
Vertices of meshes are those of the compiled model, whose origin is the centre of mass.
"""

import json
import sys

import mujoco
import numpy as np

SIZES = {
    "sphere": [".07", ".05"],
    "capsule": [".04 .08", ".06 .05"],
    "ellipsoid": [".1 .07 .05", ".06 .08 .09"],
    "cylinder": [".06 .09", ".1 .03"],
    "box": [".1 .07 .05", ".06 .11 .08"],
}
KINDS = ["mesh", "box", "cylinder", "ellipsoid", "capsule", "sphere"]
GENERAL = [
    ("mesh", "mesh"), ("box", "mesh"), ("cylinder", "mesh"), ("ellipsoid", "mesh"), ("capsule", "mesh"), ("sphere", "mesh"),
    ("cylinder", "box"), ("ellipsoid", "box"), ("cylinder", "cylinder"), ("ellipsoid", "cylinder"), ("capsule", "cylinder"),
    ("ellipsoid", "ellipsoid"), ("capsule", "ellipsoid"), ("sphere", "ellipsoid"), ("plane", "mesh"), ("capsule", "box"),
] + [("hfield", kind) for kind in KINDS]
FLAT = [
    ("brick", "brick"), ("box", "brick"), ("cylinder", "box"), ("cylinder", "brick"), ("cylinder", "cylinder"), ("capsule", "brick"),
    ("capsule", "cylinder"), ("plane", "brick"), ("capsule", "capsule"), ("capsule", "box"),
]
MARGIN = [("mesh", "mesh"), ("box", "mesh"), ("cylinder", "box"), ("capsule", "mesh"), ("plane", "mesh"), ("hfield", "box"), ("capsule", "box")]


def round_points(rng, count):
    v = rng.normal(size=(count, 3))
    return v / np.linalg.norm(v, axis=1)[:, None] * [0.1, 0.08, 0.06]


def describe(kind, side):
    if kind == "plane":
        return 'type="plane" size="2 2 1"'
    if kind == "hfield":
        return 'type="hfield" hfield="ground"'
    if kind in ("mesh", "brick"):
        return f'type="mesh" mesh="{kind}{side}"'
    return f'type="{kind}" size="{SIZES[kind][side]}"'


def make_model(a, b, margin, rng):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    text = lambda v: " ".join(repr(float(x)) for x in np.ravel(v))
    heights = " ".join(f"{x:.4f}" for x in rng.random(12 * 14))
    xml = f"""<mujoco><asset><hfield name="ground" nrow="12" ncol="14" size="1 1 .2 .1" elevation="{heights}"/>
      <mesh name="mesh0" vertex="{text(round_points(rng, 20))}"/><mesh name="mesh1" vertex="{text(round_points(rng, 30))}"/>
      <mesh name="brick0" vertex="{text(corners * [0.1, 0.07, 0.05])}"/><mesh name="brick1" vertex="{text(corners * [0.06, 0.11, 0.08])}"/>
      </asset><worldbody><body mocap="true"><geom {describe(a, 0)} margin="{margin}"/></body>
      <body><freejoint/><geom {describe(b, 1)} margin="{margin}"/></body></worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml)


def unit(v):
    return v / np.linalg.norm(v)


def multiply(p, q):
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, p, q)
    return out


def place(a, rng, flat):
    ground = a in ("plane", "hfield")
    one = np.array([1.0, 0, 0, 0]) if ground else unit(rng.normal(size=4))
    two = unit(rng.normal(size=4))
    at = unit(rng.normal(size=3)) * rng.random() * 0.2
    if flat:
        half = np.sqrt(0.5)
        quarters = np.array([[1, 0, 0, 0], [half, half, 0, 0], [half, 0, half, 0]])
        turn = rng.random() * 2 * np.pi
        tilt = rng.normal(size=3) * (3e-4 if rng.random() < 0.7 else 0)
        one = quarters[0] if ground else quarters[rng.integers(3)]
        about = np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)])
        two = multiply(unit(np.array([1, *(tilt / 2)])), multiply(about, quarters[rng.integers(3)]))
        at = np.array([*(rng.random(2) - 0.5) * 0.1, rng.random() * 0.2])
    if a == "plane":
        at = np.array([*rng.normal(size=2), rng.random() * 0.1])
    if a == "hfield":
        at = np.array([*(rng.random(2) * 1.6 - 0.8), rng.random() * 0.3])
    return one, at, two


def record(a, b, margin, flat, count, seed):
    rng = np.random.default_rng(seed)
    m = make_model(a, b, margin, rng)
    d = mujoco.MjData(m)
    states = []
    while len(states) < count:
        one, at, two = place(a, rng, flat)
        d.mocap_quat[0] = one
        d.qpos[:3] = at
        d.qpos[3:] = two
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_collision(m, d)
        if d.ncon == 0:
            continue
        # deep overlap is rare in motion
        if min(c.dist for c in d.contact[: d.ncon]) < -0.03 and rng.random() < 0.8:
            continue
        contacts = [[*map(float, c.pos), *map(float, c.frame[:3] * (1 if c.geom1 == 0 else -1)), float(c.dist)] for c in d.contact[: d.ncon]]
        states.append({"poses": [[*map(float, d.geom_xpos[g]), *map(float, d.geom_xmat[g])] for g in range(2)], "contacts": contacts})
    shapes = []
    for g in range(2):
        shape = {"kind": [a, b][g], "size": m.geom_size[g].tolist()}
        k = m.geom_dataid[g]
        if m.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH:
            start = m.mesh_vertadr[k]
            shape["vertices"] = np.ravel(m.mesh_vert[start : start + m.mesh_vertnum[k]]).astype(float).tolist()
        if m.geom_type[g] == mujoco.mjtGeom.mjGEOM_HFIELD:
            shape["field"] = {"rows": int(m.hfield_nrow[k]), "columns": int(m.hfield_ncol[k]), "size": m.hfield_size[k].tolist(), "heights": m.hfield_data.astype(float).tolist()}
        shapes.append(shape)
    return {"pair": f"{a} {b}", "way": "flat" if flat else "margin" if margin else "random", "reach": 2 * margin, "shapes": shapes, "states": states}


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    pairs = [record(a, b, 0, False, count, seed) for a, b in GENERAL]
    pairs += [record(a, b, 0, True, count, seed) for a, b in FLAT]
    pairs += [record(a, b, 0.01, False, count, seed) for a, b in MARGIN]
    json.dump({"mujoco": mujoco.__version__, "pairs": pairs}, sys.stdout)
