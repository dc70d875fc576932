"""Motion under laws of springs, dampers and actuators of MuJoCo 4.0, for recorded-laws.test.ts: python recorded-laws.py > recorded-laws.json

Each model starts from its velocities with its controls; what is recorded are positions and activations after some steps, and readings.
"""
import json

import mujoco

POWERS = """<mujoco model="springs and dampers that are no straight lines, {integrator}">
  <option timestep="0.002" integrator="{integrator}"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint name="s" type="slide" axis="1 0 .2" stiffness="20 30 400" damping=".1 .5 .2" springref=".1"/><geom size=".1" mass="1"/>
      <body pos=".3 0 0"><joint name="h" axis="0 1 0" stiffness="0 3 2" damping="0 .1 .05"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" mass=".6"/>
        <site name="tip" pos=".3 0 0"/>
        <body pos=".3 0 0"><joint name="b" type="ball" stiffness="1 2 3" damping=".02 .003 .001"/><geom type="box" size=".05 .08 .1" mass=".4"/></body>
      </body>
    </body>
    <body pos="0 1 0"><joint name="f" type="free" stiffness="5 6 7" damping=".1 .02 .001"/><geom type="box" size=".05 .08 .1" mass=".4" pos=".01 .02 0"/></body>
    <site name="hook" pos=".2 .1 .5"/>
  </worldbody>
  <tendon>
    <fixed name="t" stiffness="1 8 4" damping="0 .4 .1" springlength="-.1 .05"><joint joint="s" coef="2"/><joint joint="h" coef="-1"/></fixed>
    <spatial name="u" stiffness="0 40 0" damping=".1 0 .2" springlength=".2"><site site="hook"/><site site="tip"/></spatial>
  </tendon>
  <actuator>
    <motor joint="h" gear="2" damping=".01 .02 .03" armature=".01"/>
    <motor joint="b" gear="1.5 1 0" damping=".01 .002 .003" armature=".01"/>
    <motor tendon="u" gear="-2" damping="0 .1 .02"/>
  </actuator>
  <sensor><tendonpos tendon="u"/><e_potential/></sensor>
</mujoco>"""

LIMITS = """<mujoco model="actuators at the limits of joints and tendons, {integrator}">
  <option timestep="0.002" integrator="{integrator}"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint name="h" axis="0 1 0" actuatorfrcrange="-.4 .4"/><geom size=".1" pos=".3 0 0" mass="1"/>
      <body pos=".4 0 0"><joint name="k" axis="0 1 0"/><geom size=".05" pos=".1 0 0" mass=".5"/><site name="tip" pos=".1 0 0"/></body>
    </body>
    <body pos="0 1 0"><joint name="b" type="ball"/><geom type="box" size=".05 .08 .1" mass=".4" pos=".1 0 0"/></body>
  </worldbody>
  <tendon><fixed name="t" actuatorfrcrange="-.3 .2"><joint joint="k" coef="1"/><joint joint="h" coef=".5"/></fixed></tendon>
  <actuator>
    <velocity joint="h" kv="10" gear="2"/><position joint="h" kp="20" kv="1"/>
    <velocity tendon="t" kv="10"/><velocity tendon="t" kv="3" gear="-2" forcerange="-.1 .05"/>
    <velocity site="tip" gear="1 0 2 0 .1 0" kv=".3"/><velocity joint="b" gear="1 0 1" kv=".1"/>
  </actuator>
  <sensor><jointactuatorfrc joint="h"/><tendonactuatorfrc tendon="t"/></sensor>
</mujoco>"""

FLUID = """<mujoco model="meshes and bodies without joints in a fluid, {integrator}">
  <compiler fusestatic="true"/>
  <option timestep="0.002" integrator="{integrator}" density="1000" viscosity=".05" wind=".3 .1 -.2"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 .25 0 0 0 .1875 0 0 0 .125 .0625 .0625 .1875"/>
    <mesh name="shell" inertia="shell" vertex="-.125 0 0 .25 .03125 0 0 .15625 .03125 .03125 0 .125"/>
  </asset>
  <default><geom contype="0" conaffinity="0" density="3000"/></default>
  <worldbody>
    <body><freejoint/><geom type="mesh" mesh="wedge" euler="20 -30 50" pos=".05 .02 0" fluidshape="ellipsoid"/></body>
    <body pos="0 1 0"><joint name="a" axis="0 1 .2"/>
      <geom type="mesh" mesh="shell" quat=".8 .1 -.3 .2" mass="2" fluidshape="ellipsoid" fluidcoef=".4 .3 1.2 .8 1.5"/>
      <body pos=".3 0 0"><geom type="box" size=".02 .1 .05"/><geom size=".05" pos=".1 0 0"/></body>
      <body pos="0 .3 0"><geom size=".02" mass="0"/></body>
    </body>
    <body pos="0 2 0"><joint name="c" axis="1 0 .2"/><geom type="mesh" mesh="wedge"/></body>
  </worldbody>
</mujoco>"""

MOTORS = """<mujoco model="motors and servos with several controls, {integrator}">
  <option timestep="0.002" integrator="{integrator}"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="1"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".05" pos=".1 0 0" mass=".5"/></body>
    </body>
    <body pos="0 1 0"><joint name="c" axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="1"/>
      <body pos=".4 0 0"><joint name="d" axis="0 1 0"/><geom size=".05" pos=".1 0 0" mass=".5"/></body>
    </body>
    <body pos="0 2 0"><joint name="e" axis="0 1 .2" damping=".1"/><geom size=".1" pos=".3 0 0" mass="1"/></body>
  </worldbody>
  <actuator>
    <pid name="p" joint="a" input="pos vel ff" kp="9" kv=".4" ki="3" imax=".05" slewmax="2" forcerange="-1 .8" velrange="-2 2" ffrange="-.5 .5"/>
    <pid joint="b" input="vel ff" kp="1" kv=".3" forcerange="-.4 .4"/>
    <dcmotor joint="c" input="pos vel ff voltage" motorconst=".5" resistance=".8" controller="6 2 .3 3 .02 4" saturation="2 0 0" cogging=".1 6 .3"
      lugre="20 .2 .1 .15 .05" thermal="5 .01 0 .004 25 20"/>
    <dcmotor joint="d" input="vel" motorconst=".3" resistance=".5" controller="1 0 .4 5 0 0" inductance=".02 0" saturation=".5 0 40"/>
    <dcmotor name="m" joint="e" gear="2" input="pos ff" motorconst=".3" resistance=".5" controller="8 0 .4 0 0 6" inductance=".01 0"/>
  </actuator>
  <sensor><actuatorfrc actuator="p"/><actuatorfrc actuator="m"/></sensor>
</mujoco>"""

STILL = """<mujoco model="without springs and dampers no passive force acts">
  <option timestep="0.002" integrator="implicitfast" density="1000" viscosity=".1"><flag spring="disable" damper="disable"/></option>
  <worldbody>
    <body gravcomp=".5"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
    <body pos="2 0 0" gravcomp=".7"><joint axis="0 1 0" damping="3" stiffness="2" actuatorgravcomp="true"/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/></body>
  </worldbody>
</mujoco>"""

RATIOS = """<mujoco model="servos damped by a multiple of critical damping, {integrator}">
  <option timestep="0.002" integrator="{integrator}"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint name="a" axis="0 1 0" armature=".02"/><geom size=".1" pos=".3 0 0" mass="1"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 .2"/><geom size=".05" pos=".1 0 0" mass=".5"/></body>
    </body>
  </worldbody>
  <actuator>
    <pid joint="a" input="pos vel" kp="9" dampratio=".7" ki="3" imax=".05" velrange="-2 2"/>
    <pid joint="b" kp="4" dampratio="1.2" slewmax="3"/>
    <intvelocity joint="b" kp="5" dampratio=".6" actrange="-1 1"/>
  </actuator>
</mujoco>"""

runs = [
    (POWERS.format(integrator=integrator), [0.5, -2, 1, 2, -1, 0.5, -1, 2, 3, -4, 1], [0.3, -0.2, 0.5])
    for integrator in ("Euler", "implicit", "implicitfast", "RK4")
]
runs += [
    (LIMITS.format(integrator=integrator), [0.5, -2, 1, 2, -1], [0.3, -0.2, 0.5, 1, -1, 0.5])
    for integrator in ("implicit", "implicitfast")
]
runs += [
    (MOTORS.format(integrator=integrator), [0.5, -2, 1, 2, -1], [0.6, 3, 0.4, 1, -0.2, 0.5, 1, 0.2, 0.3, 2, 0.8, -0.3])
    for integrator in ("Euler", "implicitfast")
]
runs += [(STILL, [0.5, -2, 1, 2, -1, 0.5, 3], [])]
runs += [
    (FLUID.format(integrator=integrator), [0.5, -2, 1, 2, -1, 0.5, 3, -2], []) for integrator in ("Euler", "implicit")
]
runs += [
    (RATIOS.format(integrator=integrator), [0.5, -2], [0.6, 1, 0.4, 0.2, -0.3]) for integrator in ("Euler", "implicitfast")
]


def record(xml, velocity, control, steps=50):
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qvel[:] = velocity
    data.ctrl[:] = control
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return dict(
        model=xml,
        velocity=velocity,
        control=control,
        steps=steps,
        position=data.qpos.tolist(),
        activation=data.act.tolist(),
        readings=data.sensordata.tolist(),
    )


print(json.dumps(dict(mujoco=mujoco.__version__, runs=[record(*run) for run in runs]), indent=1))
