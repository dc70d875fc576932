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

SIZES = dict(sphere='size=".1"', capsule='size=".06 .1"', cylinder='size=".07 .09"', box='size=".1 .07 .08"', mesh='mesh="wedge"')
# pairs with a closed form or flat faces: elsewhere MuJoCo stops at its tolerance
PAIRS = "sphere-sphere sphere-capsule sphere-cylinder sphere-box box-sphere sphere-mesh capsule-capsule box-box box-mesh mesh-mesh".split()
OFFSETS = [(0.03, 0.02, 0.05), (0.23, 0.12, 0.25)]


def pair(kinds, n):
    first, second = kinds.split("-")
    x, y, z = OFFSETS[n]
    at = f"{5 * PAIRS.index(kinds)} {5 * n} 0"
    return f"""<body pos="{at}">
      <geom name="{kinds}{n}a" type="{first}" {SIZES[first]} euler="10 20 30"/>
      <geom name="{kinds}{n}b" type="{second}" {SIZES[second]} pos="{x} {y} {z}" euler="40 -10 5"/>
    </body>"""


OVERLAP = f"""<mujoco model="distances of shapes that overlap, and of some that do not">
  <asset><mesh name="wedge" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1 .05 .05 .15"/></asset>
  <worldbody>
    <body pos="-5 0 0"><joint/><geom size=".1"/></body>
    <geom name="floor" type="plane" size="1 1 1" pos="-5 0 0"/>
    <body pos="-5 0 .06"><geom name="low" size=".1"/></body>
    {"".join(pair(kinds, n) for kinds in PAIRS for n in range(2))}
  </worldbody>
  <sensor>
    {"".join(f'<{kind} geom1="{a}" geom2="{b}" cutoff="1"/>'
             for kind in ("distance", "normal", "fromto")
             for a, b in [("floor", "low"), ("low", "floor"), *((f"{p}{n}a", f"{p}{n}b") for p in PAIRS for n in range(2))])}
  </sensor>
</mujoco>"""

# which touch nothing
SEEN = f"""<mujoco model="bodies of one mesh, distances of meshes that touch nothing, and what juts out of sites">
  <option timestep="0.002" integrator="Euler"/>
  <asset>
    <mesh name="wedge" vertex="0 0 0 .25 0 0 0 .1875 0 0 0 .125 .0625 .0625 .1875"/>
    <mesh name="block" vertex="0 0 0 .25 0 0 .25 .125 0 0 .125 0 0 0 .1875 .25 0 .1875 .25 .125 .1875 0 .125 .1875"/>
  </asset>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="arm" pos="0 0 1" euler="10 20 30"><joint axis="0 1 .3"/><geom name="wedge" type="mesh" mesh="wedge" xyaxes="-.9 -.7 .5 -.9 .5 -.2"/>
      <body name="hand" pos=".5 0 0"><joint type="ball"/><geom name="block" type="mesh" mesh="block" pos="0 .02 .01" quat=".8 .1 -.3 .2"/></body>
    </body>
    <geom name="post" type="box" size=".1 .1 .1"/>
    <body name="inner" pos="2 0 0"><joint axis="1 2 3"/><geom name="in" type="box" size=".05 .04 .03" pos=".02 .01 0"/>
      <body name="outer" pos=".05 0 .02" euler="10 50 20"><geom name="out" type="capsule" size=".03 .2"/><geom name="mesh" type="mesh" mesh="wedge"/></body>
    </body>
    <site name="crate" type="box" size=".11 .1 .2" pos="2 0 0" euler="10 20 30"/><site name="globe" type="sphere" size=".14" pos="2 .02 0"/>
    <site name="small" type="ellipsoid" size=".05 .03 .04" pos="2 .03 0" euler="30 20 10"/>
  </worldbody>
  <sensor>
    {"".join(f'<insidesite enclosed="true" site="{site}" objtype="{kind}" objname="{name}"/>' for site in ("crate", "globe")
             for kind, name in (("geom", "in"), ("geom", "mesh"), ("body", "inner"), ("xbody", "inner"), ("site", "small")))}
    <insidesite enclosed="true" site="globe" objtype="geom" objname="out"/>
    {"".join(f'<{kind} objtype="body" objname="{body}"/>' for kind in FRAMES for body in ("arm", "hand"))}
    {"".join(f'<{kind} geom1="{a}" geom2="{b}" cutoff="3"/>' for kind in ("distance", "fromto") for a, b in (("wedge", "block"), ("post", "wedge")))}
    <distance body1="hand" geom2="post" cutoff="3"/>
  </sensor>
</mujoco>"""

# MuJoCo adds torques at a site of the world about the centres of different trees: forces only
SITES = ["ground", "post", "elbow", "hand", "end", "hung"]


def tendons(name, spatial, extra=""):
    return f"""<mujoco model="forces beside tendons: {name}">
  <option timestep="0.002" integrator="Euler" tolerance="1e-14"/>
  <worldbody>
    <site name="ground" pos=".1 0 .2"/>
    <site name="anchor" pos=".2 .1 1.4"/>
    <body name="post" pos="0 0 .2">
      <geom type="box" size=".05 .05 .2"/>
      <site name="post" pos="0 .02 .2"/>
      <body name="arm" pos="0 0 .4" euler="0 10 5">
        <joint name="shoulder" axis="0 1 .2" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
        <geom name="drum" type="sphere" size=".06" pos=".2 0 .05" contype="0" conaffinity="0"/>
        <site name="elbow" pos=".35 0 .05" euler="10 20 30"/>
        <site name="beside" pos=".2 0 .2"/>
        <body name="hand" pos=".4 0 0">
          <joint name="wrist" axis="0 1 0" damping=".02"/>
          <geom type="box" size=".08 .03 .02" pos=".08 0 0"/>
          <site name="hand" pos=".05 .01 .02"/>
          <site name="end" pos=".15 0 .02" euler="0 40 0"/>
        </body>
      </body>
    </body>
    <body name="hung" pos=".8 .2 1">
      <joint name="rail" type="slide" axis="0 .2 1"/>
      <geom size=".06"/>
      <site name="hung" pos="0 0 .06"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="cable" {spatial}><site site="anchor"/><geom geom="drum" sidesite="beside"/><site site="hand"/>
      <pulley divisor="2"/><site site="post"/><site site="elbow"/><site site="end"/><site site="hung"/></spatial>
    <spatial name="other"><site site="post"/><site site="end"/></spatial>
    <fixed name="mix" stiffness="3" damping=".1"><joint joint="shoulder" coef=".5"/><joint joint="rail" coef="2"/></fixed>
  </tendon>
  {extra}
  <sensor>{"".join(f'<force site="{site}"/>' for site in SITES)}{"".join(f'<torque site="{site}"/>' for site in SITES[1:])}</sensor>
</mujoco>"""


TENDONS = [
    tendons("spring and damper", 'stiffness="40" damping="2" springlength=".3"'),
    tendons("motor", "", '<actuator><general tendon="cable" gear="1.5" biastype="affine" biasprm="-4 0 0"/></actuator>'),
    tendons("limit", 'limited="true" range="0 1.2"'),
    tendons("lower limit", 'limited="true" range="2.5 9"'),
    tendons("dry friction", 'frictionloss="1.5"'),
    tendons("equality", "", '<equality><tendon tendon1="cable" tendon2="other" polycoef="0 .7 .3 0 0"/></equality>'),
    tendons("armature", ""),
]
TENDONS[-1] = TENDONS[-1].replace('<spatial name="other">', '<spatial name="other" armature=".3">')

RAY_DATA = "dist dir origin point normal depth"
LENS = 'sensorsize="2.1e-2 1.3e-2" focal="1.57e-2 1.33e-2"'
CAMERAS = f"""<mujoco model="rays of cameras">
  <option timestep="0.002" integrator="Euler"/>
  <asset><mesh name="cup" vertex="-.3 -.3 0 .3 -.3 0 .3 .3 0 -.3 .3 0 0 0 .2 0 0 -.3"
    face="0 1 4 1 2 4 2 3 4 3 0 4 1 0 5 2 1 5 3 2 5 0 3 5"/>
    <mesh name="dent" vertex="-.3 -.3 0 .3 -.3 0 .3 .3 0 -.3 .3 0 0 0 -.1 0 0 -.3"
    face="0 1 4 1 2 4 2 3 4 3 0 4 1 0 5 2 1 5 3 2 5 0 3 5"/></asset>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <geom type="mesh" mesh="dent" pos="-.3 0 .6" euler="10 20 30"/>
    <geom type="mesh" mesh="cup" pos=".5 .3 .6" contype="0" conaffinity="0"/>
    <geom size=".3" pos="0 0 1.3" rgba="1 1 1 0"/>
    <body name="far" pos=".3 -.4 .6"><geom type="capsule" size=".1 .2" euler="30 0 0"/></body>
    <body pos="0 0 2"><joint axis="1 .2 0"/><geom size=".05"/>
      <site name="eye" euler="175 5 0"/>
      <camera name="lens" resolution="7 4" {LENS} principal="1.1e-3 2.3e-3" euler="10 5 3" pos=".1 .2 0"/>
      <camera name="plain" resolution="5 6" fovy="60"/>
      <camera name="flat" projection="orthographic" resolution="4 7" fovy="2" pos=".05 0 0"/>
      <camera name="following" mode="targetbody" target="far" resolution="3 3" fovy="20"/>
    </body>
  </worldbody>
  <sensor>
    {"".join(f'<rangefinder camera="{name}" data="{RAY_DATA}"/>' for name in ("lens", "plain", "flat", "following"))}
    <rangefinder camera="flat"/><rangefinder camera="plain" data="dist point" cutoff="1.4"/><rangefinder site="eye" data="{RAY_DATA}"/>
  </sensor>
</mujoco>"""

# each shape is pressed into a plate, a wedge and a pyramid; vertices of meshes are 32-bit numbers
PRESSED = [('sphere', '.03'), ('capsule', '.02 .02'), ('ellipsoid', '.03 .024 .026'), ('cylinder', '.025 .02'), ('box', '.02 .025 .03')]


def pressed(n, kind, size):
    return f"""<body pos="{n} 0 .5" euler="0 10 40"><freejoint/>
      <geom type="box" size=".04 .05 .005"/>
      <geom name="plate{n}" type="mesh" mesh="plate" contype="0" conaffinity="0" pos="0 0 .002" euler="0 0 20"/>
      <body pos="0 .01 .01"><geom size=".001"/><geom name="own{n}" type="mesh" mesh="own" contype="0" conaffinity="0" euler="10 20 0"/></body>
      <geom name="wedge{n}" type="mesh" mesh="wedge" contype="0" conaffinity="0" euler="0 0 10"/>
    </body>
    <body pos="{n + .02} .01 .475" euler="30 20 0"><freejoint/><geom type="{kind}" size="{size}" pos=".005 0 0"/></body>
    <body pos="{n - .02} .01 .475" euler="0 80 0"><freejoint/><geom type="{kind}" size="{size}"/></body>"""


TACTILE = f"""<mujoco model="taxels on meshes">
  <option timestep="0.002" integrator="Euler" gravity="0 0 0"/>
  <asset>
    <mesh name="plate" builtin="plate" params="5 4" scale=".04 .05 .005"/>
    <mesh name="wedge" builtin="wedge" params="5 4 60 50 .3" scale=".03 .03 .03"/>
    <mesh name="own" vertex="-.03 -.03 0 .03 -.03 0 0 .03 0 0 0 -.02" face="0 1 2 1 0 3 2 1 3 0 2 3"/>
  </asset>
  <worldbody>{"".join(pressed(n, *shape) for n, shape in enumerate(PRESSED))}</worldbody>
  <sensor>{"".join(f'<tactile geom="{mesh}{n}" mesh="{mesh}"/>' for n in range(len(PRESSED)) for mesh in ("plate", "wedge", "own"))}
    <tactile geom="wedge0" mesh="wedge" cutoff=".5"/></sensor>
</mujoco>"""
SPEEDS = [round(0.3 * ((7 * k) % 11 - 5) / 5, 3) for k in range(18 * len(PRESSED))]

def grid(site, size, fov, gamma, channels):
    config = dict(size=size, fov=fov, gamma=gamma, nchannel=channels)
    return f"""<plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="{site}">{"".join(f'<config key="{k}" value="{v}"/>' for k, v in config.items())}</plugin>"""


# a palm with a finger that is welded to it, between a floor, a ball and a box
GRID = f"""<mujoco model="touch grids">
  <option timestep="0.002" integrator="Euler" tolerance="0" iterations="200" ls_iterations="100" cone="elliptic"/>
  <extension><plugin plugin="mujoco.sensor.touch_grid"><instance name="wide"><config key="size" value="4 3"/><config key="fov" value="180 90"/></instance></plugin></extension>
  <default><geom condim="6" friction=".8 .02 .01"/></default>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos=".04 .02 .145" euler="20 0 0"><freejoint/><geom size=".03"/></body>
    <body name="palm" pos="0 0 .09"><freejoint/><geom type="box" size=".08 .06 .03" euler="0 30 0"/>
      <body pos="0 0 -.05"><geom type="capsule" size=".02 .02" euler="90 0 0"/><site name="in" pos="0 0 .04" euler="5 10 0"/></body>
      <site name="up" euler="180 5 10"/>
    </body>
    <body pos="-.03 -.01 .125" euler="10 25 0"><freejoint/><geom type="box" size=".03 .03 .03"/></body>
  </worldbody>
  <sensor>{grid("in", "5 5", "80 70", ".4", 6)}{grid("up", "7 6", "90 80", "0", 3)}{grid("up", "1 1", "180 90", "", "")}
    <plugin instance="wide" objtype="site" objname="up" cutoff="20"/></sensor>
</mujoco>"""

# the last: round-off of the steps, as in sensors.test.ts, or of vertices of meshes, which MuJoCo keeps as 32-bit numbers
RUNS = [(MESHES, [0.7, -0.4, 0.9, 0.3], 20, 1e-9), (OVERLAP, [0], 1, 1e-7), (SEEN, [0.7, -0.4, 0.9, 0.3, 0.5], 20, 1e-7)]
RUNS += [(TACTILE, SPEEDS, 1, 1e-7)]
RUNS += [(CAMERAS, [1.3], 10, 1e-7)]
# forces of contacts that slide, to where both solve
RUNS += [(GRID, [0.2, -0.1, 0, 1, 2, 3, 0.1, 0.1, 0, 0, 0, 1, -0.1, 0.2, 0, 2, 0, -3], 3, 1e-7)]
RUNS += [(text, [0.6, -0.8, 0.5], 5, 1e-9) for text in TENDONS]

runs = []
for text, velocity, steps, tolerance in RUNS:
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[:] = velocity
    for _ in range(steps):
        mujoco.mj_step(model, data)
    runs.append(dict(model=text, velocity=velocity, steps=steps, tolerance=tolerance, readings=data.sensordata.tolist()))
print(json.dumps(dict(engine="MuJoCo " + mujoco.__version__, runs=runs)))
