"""Readings of sensors of MuJoCo 4.0, for recorded-sensors.test.ts: python recorded-sensors.py > recorded-sensors.json

Each model starts from its velocities and takes some steps; the readings are those of the last.
"""
import json

import mujoco

FRAMES = "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc".split()


def frames_of(geom):
    seen = "".join(f'<{kind} objtype="geom" objname="{geom}"/>' for kind in FRAMES)
    seen += "".join(
        f'<{kind} objtype="site" objname="tip" reftype="geom" refname="{geom}"/>' for kind in FRAMES[:7]
    )
    return seen + f'<insidesite objtype="geom" objname="{geom}" site="tip"/>'


MESHES = f"""<mujoco model="frames of meshes">
  <option timestep="0.002" integrator="Euler"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1 .05 .05 .15" refpos=".02 .01 0" scale="1 1.2 .9"/>
    <mesh name="shell" inertia="shell" vertex="-.1 0 0 .2 .03 0 0 .15 .02 .03 0 .12"/>
  </asset>
  <worldbody>
    <body name="arm" pos="0 0 1" euler="10 20 30">
      <joint axis="0 1 .3" pos="0 0 .1"/>
      <geom name="wedge" type="mesh" mesh="wedge" pos=".1 .05 -.02" euler="5 -40 70"/>
      <body name="hand" pos=".3 0 0">
        <joint type="ball"/>
        <geom name="shell" type="mesh" mesh="shell" pos="0 .02 .01" quat=".8 .1 -.3 .2" mass=".4"/>
        <geom name="box" type="box" mesh="wedge" pos=".1 0 0" quat=".7 .2 0 .1"/>
        <site name="tip" pos=".1 0 .05" size=".13"/>
      </body>
    </body>
  </worldbody>
  <sensor>{"".join(frames_of(geom) for geom in ("wedge", "shell", "box"))}</sensor>
</mujoco>"""

RUNS = [(MESHES, [0.7, -0.4, 0.9, 0.3], 20)]

runs = []
for text, velocity, steps in RUNS:
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[:] = velocity
    for _ in range(steps):
        mujoco.mj_step(model, data)
    runs.append(dict(model=text, velocity=velocity, steps=steps, readings=data.sensordata.tolist()))
print(json.dumps(dict(engine="MuJoCo " + mujoco.__version__, runs=runs)))
