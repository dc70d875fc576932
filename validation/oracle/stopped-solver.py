"""Steps of MuJoCo whose solver stops early, for stopped-solver.test.ts: python stopped-solver.py > stopped-solver.json

A tumbling box with two links and a capsule. Of each setting the first steps whose line search took four evaluations or its limit, and the first that
ended although gradient and decrease were above the tolerance. And a pile whose contacts are swept over a few times: steps 30, 60 and 90.
"""
import json

import mujoco
import numpy as np

MODEL = """<mujoco>
  <option timestep="0.005" iterations="{iterations}" ls_iterations="{search}" cone="{cone}" solver="{solver}"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.35" euler="20 35 10">
      <freejoint/>
      <geom type="box" size="0.1 0.15 0.2"/>
      <body pos="0.1 0 0.2">
        <joint axis="0 1 0" range="-60 60" damping="0.1" frictionloss="0.2"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.3 0 0"/>
        <body pos="0.3 0 0">
          <joint axis="0 0 1" range="-40 40"/>
          <geom type="capsule" size="0.03" fromto="0 0 0 0.25 0 0"/>
        </body>
      </body>
    </body>
    <body pos="0.25 0.05 0.9" euler="0 40 0"><freejoint/><geom type="capsule" size="0.06 0.2"/></body>
  </worldbody>
</mujoco>"""
SETTINGS = [(1, 4, "pyramidal", "Newton"), (2, 3, "pyramidal", "Newton"), (3, 8, "elliptic", "Newton"), (2, 6, "elliptic", "CG"),
            (100, 50, "elliptic", "Newton")]


# bodies in another order than their shapes touch; contacts of all dimensions
PILE = """<mujoco>
  <option timestep="0.004" cone="{cone}" solver="{solver}" iterations="{iterations}" noslip_iterations="{noslip}"/>
  <worldbody>
    <geom type="plane" size="5 5 1" friction="0.6 0.01 0.002"/>
    <body pos="0 0 0.31" euler="2 3 10"><freejoint/><geom type="box" size="0.1 0.15 0.1"/><geom type="sphere" size="0.06" pos="0.15 0 0" condim="6"/></body>
    <body pos="0.02 0.01 0.1"><freejoint/><geom type="box" size="0.2 0.15 0.1" condim="4" friction="0.8 0.02 0.001"/>
      <body pos="0.2 0 0"><joint axis="0 1 0" frictionloss="0.5" range="-20 20"/><geom type="capsule" size="0.04" fromto="0.05 0 0 0.3 0 -0.04" condim="6"/></body>
    </body>
    <body pos="0.36 0.05 0.17" euler="90 10 0"><freejoint/><geom type="capsule" size="0.06 0.2" condim="6" friction="0.5 0.01 0.001"/></body>
    <body pos="0.1 0.02 0.47" euler="0 80 5"><freejoint/><geom type="cylinder" size="0.05 0.1" condim="4"/></body>
  </worldbody>
</mujoco>"""
SWEPT = [("pyramidal", "Newton", 100, 4), ("elliptic", "Newton", 100, 4)]


def flat(array):
    return np.asarray(array, dtype=float).ravel().tolist()


def energy(model, data):
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    return float(sum(data.energy))


runs = []
for iterations, search, cone, solver in SETTINGS:
    text = MODEL.format(iterations=iterations, search=search, cone=cone, solver=solver)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    steps = []
    for _ in range(120):
        step = dict(qpos=flat(data.qpos), qvel=flat(data.qvel), warmStart=flat(data.qacc_warmstart))
        mujoco.mj_forward(model, data)
        before = energy(model, data)
        data.qacc_warmstart[:] = step["warmStart"]
        mujoco.mj_step(model, data)
        # steps that make energy are refused here
        gains = energy(model, data) > before + 1
        count = int(data.solver_niter[0])
        last = data.solver[count - 1] if count else None
        tolerance = model.opt.tolerance
        early = last is not None and count < iterations and last.gradient > tolerance and last.improvement > tolerance
        hard = last is not None and iterations < 100 and data.solver[0].neval >= min(4, search)
        if (hard or early) and not gains and data.nisland == 1 and len(steps) < 3:
            steps.append({**step, "next": flat(data.qvel)})
    runs.append(dict(model=text, steps=steps))
for cone, solver, iterations, noslip in SWEPT:
    text = PILE.format(cone=cone, solver=solver, iterations=iterations, noslip=noslip)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    steps = []
    for k in range(91):
        step = dict(qpos=flat(data.qpos), qvel=flat(data.qvel), warmStart=flat(data.qacc_warmstart))
        mujoco.mj_step(model, data)
        if k in (30, 60, 90):
            steps.append({**step, "next": flat(data.qvel)})
    runs.append(dict(model=text, steps=steps))
print(json.dumps(dict(engine="MuJoCo " + mujoco.__version__, runs=runs)))
