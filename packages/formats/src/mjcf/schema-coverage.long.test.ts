/**
 * Nothing of MJCF is dropped silently: every attribute of MuJoCo 4.0's schema changes the scene, is listed, or has no effect there either.
 * Each attribute is written into a small model with a value other than its default, and the two scenes are compared.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readMjcf } from './mjcf.ts';

const SCHEMA: [path: string, attributes: string[]][] = readFileSync(
  new URL('./schema-4.0.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !/ (plugin|instance|config):/.test(line))
  .map((line) => line.split(': ') as [string, string])
  .map(([path, attributes]) => [path, attributes.split(' ')]);

const SECTIONS: Readonly<Record<string, string>> = {
  default: `<default class="cl"><mesh scale="2 1 1"/><texture rgb1="1 0 0"/><material rgba="1 0 0 1"/><joint damping="9"/>
    <geom rgba="1 0 0 1"/><site rgba="1 0 0 1"/><camera fovy="20"/><light ambient="1 0 0"/><pair margin="1"/>
    <equality solref=".5 1"/><tendon damping="9"/><general gear="9" ctrlrange="0 9"/></default>`,
  asset: `<texture name="tx" type="2d" builtin="flat" width="2" height="2"/>
    <texture name="ty" type="2d" builtin="flat" rgb1="1 0 0" width="2" height="2"/><material name="mt"/>
    <mesh name="me" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
    <mesh name="mf" vertex="0 0 0 2 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/>
    <hfield name="hf" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1"/>`,
  worldbody: `<geom name="fl" type="plane" size="1 1 1" pos="0 0 -3"/><site name="ws"/><camera name="ca"/>
    <camera name="cc" pos="1 1 1" resolution="4 4"/>
    <body name="a" pos="1 0 0"><joint name="j" range="-90 90"/><geom name="g" size=".1"/><site name="s"/>
      <body name="b" pos="1 0 0"><joint name="k" axis="0 1 0" range="-90 90"/><geom name="h" size=".1"/>
        <site name="t" pos=".1 0 .2"/></body></body>
    <body name="c" pos="0 2 0"><joint name="ba" type="ball"/>
      <geom name="gc" size=".1" pos=".3 0 0"/><site name="u"/><geom name="gm" type="mesh" mesh="me"/></body>
    <body name="fr" pos="0 0 3"><freejoint name="fj"/><geom type="box" size=".2 .1 .1" mass="1"/></body>
    <body name="d"><joint name="bb" type="ball"/><geom size=".1"/></body><body name="mm" mocap="true"/>`,
  tendon: `<fixed name="tf"><joint joint="j" coef="1"/></fixed><fixed name="tg"><joint joint="k" coef="1"/></fixed>`,
  actuator: `<motor name="mo" joint="j"/><motor name="mp" joint="k"/>`,
};

const CHILD =
  '<mujoco model="mm"><worldbody><body name="mb"><joint name="mj"/><geom size=".1"/></body><body name="mc"/></worldbody></mujoco>';

/** Where an element stands: before it, its attributes, after it. A section alone where nothing is around it. */
type Place = [before: string, attributes: string, after?: string];

const MOVING = '<body><joint/><geom size=".05"/>';
const flexcomp = (dim: number): string =>
  `<flexcomp name="fy" type="grid" dim="${dim}" count="3 ${dim > 1 ? 3 : 1} ${dim > 2 ? 3 : 1}" spacing=".1 .1 .1" radius=".01" mass="1">`;
const FLEX =
  '|worldbody|<flexcomp name="fx" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".01" mass="1"/>';
const SKIN = '<skin name="sk" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">';
const BONE = 'body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"';

const PLACES: Readonly<Record<string, Place>> = {
  'compiler lengthrange': [
    '',
    'inttotal="4" timestep=".004" interval="1"',
    '|actuator|<muscle joint="k" lengthrange=".1 .5"/><muscle joint="k"/>',
  ],
  'asset mesh': [
    '',
    'name="mm" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"',
    '|worldbody|<geom type="mesh" mesh="mm"/>',
  ],
  'asset hfield': ['', 'name="hh" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1"'],
  'asset skin': ['', 'name="sk" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"', `<bone ${BONE}/>`],
  'asset skin bone': [SKIN, BONE, '</skin>'],
  'asset texture': ['', 'name="tt" type="2d" builtin="checker" width="8" height="8"'],
  'asset material': ['', 'name="mm"', '|worldbody|<geom size="1" material="mm"/>'],
  'asset material layer': [
    '<material name="ml">',
    'role="rgb" texture="tx"',
    '</material>|worldbody|<geom size="1" material="ml"/>',
  ],
  'asset model': ['', 'name="mm" file="m.xml"', '|worldbody|<attach model="mm" prefix="x"/>'],
  body: ['', 'name="bn"', '<geom size=".1"/>'],
  'body inertial': ['<body><joint/>', 'pos="0 0 0" mass="1" diaginertia="1 1 1.5"', '</body>'],
  'body joint': ['<body>', 'name="jj" range="-9 9"', '<geom size=".1"/></body>'],
  'body freejoint': ['<body>', '', '<geom size=".1" pos=".1 0 0"/></body>'],
  'body geom': [MOVING, 'type="capsule" size=".1 .2"', '</body>'],
  'body site': [MOVING, 'type="capsule" size=".1 .2"', '</body>'],
  'body camera': [MOVING, '', '</body>'],
  'body light': [MOVING, '', '</body>'],
  'body attach': ['', 'model="mm" prefix="pp"', '|asset|<model file="m.xml"/><model name="mn" file="n.xml"/>'],
  'body flexcomp': ['', 'name="fy" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".01" mass="1"'],
  'body flexcomp edge': [flexcomp(1), '', '</flexcomp>'],
  'body flexcomp elasticity': [flexcomp(1), 'young="1e3" thickness=".01"', '</flexcomp>'],
  'body flexcomp elasticity thickness': [flexcomp(2), '', '</flexcomp>'],
  'body flexcomp elasticity elastic2d': [flexcomp(2), '', '</flexcomp>'],
  'body flexcomp contact': [flexcomp(3), '', '</flexcomp>'],
  'body flexcomp pin': [flexcomp(2), 'id="0"', '</flexcomp>'],
  'deformable flex': ['', 'name="fy" dim="2" body="a b c" element="0 1 2" vertex="0 0 0 1 0 0 0 1 0"'],
  'deformable flex edge': ['<flex name="fy" dim="1" body="a b" element="0 1">', '', '</flex>'],
  'deformable flex elasticity': ['<flex name="fy" dim="1" body="a b" element="0 1">', 'young="1e3"', '</flex>'],
  'deformable flex elasticity thickness': ['<flex name="fy" dim="2" body="a b c" element="0 1 2">', '', '</flex>'],
  'deformable flex elasticity elastic2d': ['<flex name="fy" dim="2" body="a b c" element="0 1 2">', '', '</flex>'],
  'deformable flex contact': ['<flex name="fy" dim="1" body="a b" element="0 1">', '', '</flex>'],
  'deformable skin': ['', 'name="sk" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"', `<bone ${BONE}/>`],
  'deformable skin bone': [SKIN, BONE, '</skin>'],
  'contact pair': ['', 'geom1="fl" geom2="h"'],
  'contact exclude': ['', 'body1="a" body2="c"'],
  'tendon spatial': ['', 'range="0 3"', '<site site="ws"/><site site="t"/>'],
  'tendon spatial site': ['<spatial><site site="ws"/>', 'site="s"', '</spatial>'],
  'tendon spatial geom': ['<spatial><site site="ws"/>', 'geom="g"', '<site site="u"/></spatial>'],
  'tendon spatial pulley': [
    '<spatial><site site="ws"/><site site="t"/>',
    'divisor="1"',
    '<site site="ws"/><site site="u"/></spatial>',
  ],
  'tendon fixed': ['', 'range="0 3"', '<joint joint="k" coef="1"/>'],
  'tendon fixed joint': ['<fixed>', 'joint="j" coef="1"', '</fixed>'],
  'equality connect': ['', 'body1="a" anchor="0 0 0"'],
  'equality weld': ['', 'body1="c"'],
  'equality joint': ['', 'joint1="j"'],
  'equality tendon': ['', 'tendon1="tf"'],
  'equality flex': ['', 'flex="fx"', FLEX],
  'equality flexstrain': ['', 'flex="fx"', FLEX],
  'keyframe key': ['', ''],
};
const ACTUATORS: Readonly<Record<string, string>> = {
  damper: 'joint="j" ctrlrange="0 1"',
  intvelocity: 'joint="j" actrange="-3 3"',
  muscle: 'joint="j" lengthrange=".1 .9"',
  dcmotor: 'joint="j" motorconst=".3" resistance="1"',
  orientation: 'joint="ba"',
  plugin: 'joint="j" plugin="mujoco.pid"',
  adhesion: 'body="a" ctrlrange="0 1"',
};
const SENSED: [RegExp, string][] = [
  [/^(touch|accelerometer|velocimeter|gyro|force|torque|magnetometer|rangefinder)$/, 'site="s"'],
  [/^camprojection$/, 'site="s" camera="ca"'],
  [/^joint/, 'joint="j"'],
  [/^ball/, 'joint="ba"'],
  [/^tendon/, 'tendon="tg"'],
  [/^actuator/, 'actuator="mo"'],
  [/^frame/, 'objtype="body" objname="a"'],
  [/^subtree/, 'body="a"'],
  [/^insidesite$/, 'objtype="body" objname="b" site="s"'],
  [/^(distance|normal|fromto)$/, 'geom1="g" geom2="gc" cutoff="2"'],
  [/^contact$/, 'geom1="g"'],
  [/^tactile$/, 'geom="gm" mesh="me"'],
  [/^user$/, 'dim="2"'],
  [/^plugin$/, 'plugin="x"'],
];

/** Values by attribute; `element attribute` where they differ. What is in brackets stands in both models. */
const VALUES: Readonly<Record<string, string>> = Object.fromEntries(
  `name=zz | class=cl | user=1 2 | group=3 | rgba=.1 .2 .3 .4 | pos=.1 .2 .3 | quat=.5 .5 .5 .5 | axisangle=1 0 0 30 | xyaxes=0 1 0 1 0 0
  zaxis=1 0 0 | euler=10 20 30 | material=mt | friction=.3 .1 .2 | solref=.03 .7 | solimp=.8 .9 .01 .4 3 | solreflimit=.03 .7
  solimplimit=.8 .9 .01 .4 3 | solreffriction=.03 .7 | solimpfriction=.8 .9 .01 .4 3 | margin=.02 | gap=.01 | condim=4 | contype=2
  conaffinity=2 | priority=2 | solmix=2 | adhesion=3 | castshadow=false | density=333 | mass=3 | fluidshape=ellipsoid | shellinertia=true
  body geom fluidcoef=.1 .2 .3 .4 .5 [fluidshape="ellipsoid"] | body geom fitscale=2 [type="box" mesh="me" size=""]
  body geom mesh=mf [type="mesh" mesh="me" size=""] | body geom hfield=hf [type="hfield"] | fromto=0 0 0 0 1 0 | size=.3 .3 .3
  surfacevel=1 2 3 0 0 1 | type=sphere | body site mesh=mf [type="box" size=""] | body joint type=slide
  stiffness=3 | damping=2 | armature=.3 | frictionloss=.4 | limited=false | range=-20 20 | ref=5 | springref=7 | springdamper=1 1
  springyield=4 | actuatorfrclimited=false [actuatorfrcrange="-3 4"] | actuatorfrcrange=-3 4 | actuatorgravcomp=true | axis=1 0 0
  springlength=.3 | width=.2 | align=true | childclass=cl | body childclass=cl | gravcomp=.4 | mocap=true | sleep=never | simple=false | fuse=false
  pos=.1 .2 .3 | diaginertia=1 1.2 1.1 | fullinertia=1 1 1 .1 .1 .1 [diaginertia=""] | focal=1 1 [resolution="9 9" sensorsize="1 1" focalpixel="5 5"]
  focalpixel=9 9 [resolution="9 9" sensorsize="1 1" focalpixel="5 5"] | body camera fovy=20 | ipd=.3 | mode=trackcom | output=depth
  principal=.1 .1 [resolution="9 9" sensorsize="1 1" focal="1 1"] | principalpixel=1 1 [resolution="9 9" sensorsize="1 1" focal="1 1"]
  projection=orthographic | resolution=33 44 | sensorsize=2 1 [resolution="9 9" sensorsize="1 1" focal="1 1"]
  target=a [mode="targetbody" target="b"] | body light active=false | ambient=1 0 0 | attenuation=1 2 3 | bulbradius=.3 | cutoff=30
  diffuse=.1 0 0 | dir=1 0 0 | directional=true | exponent=3 | intensity=3 | body light range=3 | softness=.3 | specular=.1 0 0
  body light texture=tx | body light type=directional | attach body=mb | frame=x | model=mn | prefix=qq
  body flexcomp cellcount=2 2 2 [dof="trilinear"] | body flexcomp count=4 4 1 | dim=1 [count="3 1 1"] | dof=trilinear
  body flexcomp element=0 2 1 [type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1 2"] | body flexcomp file=no.obj [type="mesh"]
  flatskin=true | inertiabox=.1 | body flexcomp mesh=mf [type="mesh" mesh="me" dim="3"] | origin=.1 .1 .1 [type="mesh" mesh="me" dim="3"]
  point=0 0 0 2 0 0 0 1 0 [type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1 2"] | radius=.02 | rigid=true
  body flexcomp scale=2 2 2 [type="mesh" mesh="me"] | spacing=.2 .2 .2 | texcoord=0 0 1 0 0 1 | body flexcomp type=box [count="3 3 3" dim="3"]
  edge equality=true | edge solref=.03 .7 [equality="true"] | edge solimp=.8 .9 .01 .4 3 [equality="true"] | young=2e3 | poisson=.3 | shear=5
  thickness=.02 [elastic2d="both" young="1e3"] | elastic2d=bend [elastic2d="both" young="1e3" thickness=".01"]
  section=box [sectionsize=".1 .2"] | sectionsize=.3 .2 [section="box" sectionsize=".1 .2"] | yield=3 | activelayers=3 | passive=true
  selfcollide=none | pin id=1 | pin range=1 2 | pin grid=1 1 | pin gridrange=0 0 1 1 | deformable flex body=a b b
  deformable flex cellcount=2 2 2 [dof="trilinear" node="a"] | deformable flex dim=1 [body="a b" vertex="0 0 0 1 0 0" element="0 1 0 1 0 1"]
  deformable flex element=0 2 1 | elemtexcoord=0 1 2 | node=a | nodecoord=0 0 0 [dof="trilinear" node="a"] | vertex=0 0 0 2 0 0 0 1 0
  face=0 2 1 | skin file=no.skn [vertex="" face=""] | inflate=.1 | bindpos=1 2 3 | bindquat=0 1 0 0 | vertid=0 2 1 | vertweight=1 2 3
  body=b | geom1=h | geom2=h | pair geom1=g | pair geom2=gc | body1=b | body2=b | site1=s [body1="" anchor="" site2="t"] | site2=u [body1="" anchor="" site1="s" site2="t"]
  divisor=2 | sidesite=s | coef=3 | active=false | polycoef=.1 2 0 0 0 | anchor=.1 .2 .3 | relpose=0 0 1 1 0 0 0 | torquescale=.4 | joint1=k | joint2=k
  tendon1=tg | tendon2=tg | flex=fx | cell=0 0 0 | ctrl=1 1 | key time=3 | qpos=.1 .2 | qvel=.1 .2 | mpos=1 2 3 | mquat=0 1 0 0 | plastic=1 | act=1
  actdim=2 | actearly=true [dyntype="filter"] | actlimited=false [dyntype="filter" actrange="0 1"] | intvelocity actlimited=false
  actrange=-1 1 [dyntype="filter"] | intvelocity actrange=-1 1 | biasprm=1 2 3 [biastype="affine"] | biastype=affine [biasprm="1 2 3"]
  cranklength=.6 [joint="" slidersite="s" cranksite="u" cranklength=".5"] | cranksite=t [joint="" slidersite="s" cranksite="u" cranklength=".5"]
  slidersite=t [joint="" slidersite="s" cranksite="u" cranklength=".5"] | ctrllimited=false [ctrlrange=".1 1"] | ctrlrange=.2 1
  delay=.02 [nsample="5"] | dynprm=.3 [dyntype="filter"] | dyntype=integrator | forcelimited=false [forcerange="-2 3"] | forcerange=-2 3
  gainprm=4 | gaintype=affine [gainprm="1 2 3"] | gear=3 | inheritrange=.8 [gainprm="3" biastype="affine" biasprm="0 -3 0"]
  position inheritrange=.8 | intvelocity inheritrange=.8 [actrange=""] | pid inheritrange=.8 | interp=linear [delay=".02" nsample="9"]
  nsample=5 [delay=".02" nsample="9"] | joint=k | jointinparent=ba [joint=""] | tendon=tf [joint=""] | site=t [joint=""]
  refsite=ws [joint="" site="t"] | general body=b [joint=""] | dampratio=.7 [kp="30"] | intvelocity dampratio=.7 | kp=30 | kv=3 | timeconst=.2
  muscle timeconst=.02 .05 | area=2 | bias=1 2 3 | diameter=2 | force=300 | scale=220 | lmin=.3 | lmax=1.7 | vmax=1.3 | fpmax=1.4 | fvmax=1.1
  tausmooth=.1 | muscle range=.7 1.1 | gain=3 | cogging=.1 2 0 | controller=3 0 1 [input="pos"] | inductance=.1 | lugre=1 2 3 4 5 | motorconst=.4
  nominal=12 1 100 [motorconst="" resistance=""] | resistance=3 | saturation=1 2 | thermal=1 2 3 4 5 6 | dcmotor input=pos | adhesion class=cl
  noise=.1 | user dim=3 | interval=.01 [nsample="5"] | objtype=xbody | objname=b | reftype=site [reftype="xbody" refname="a"] | refname=b [reftype="xbody" refname="a"]
  camera=cc | rangefinder camera=cc [site=""] | rangefinder data=dist normal | contact data=found force | insidesite objtype=xbody | insidesite objname=a | enclosed=true
  subtree1=a [geom1=""] | subtree2=a | contact body1=b [geom1=""] | distance body1=b [geom1=""] | normal body1=b [geom1=""] | fromto body1=b [geom1=""]
  distance body2=fr [geom2=""] | normal body2=fr [geom2=""] | fromto body2=fr [geom2=""] | num=2 | reduce=mindist
  sensor site=t | actuator=mp | sensor joint=k | sensor tendon=tf | ballquat joint=bb | ballangvel joint=bb | geom=h
  alignfree=true | coordinate=local | angle=radian | assetdir=x | autolimits=false | balanceinertia=true | boundinertia=.1 | boundmass=.1 | discardvisual=true
  inertiagrouprange=1 3 | settotalmass=3 | accel=3 | lengthrange interval=.5 | inttotal=3 | mode=none | lengthrange timeconst=.3
  lengthrange timestep=.005 | useexisting=false | uselimit=true | actuatorgroupdisable=0 | ccd_iterations=33 | ccd_tolerance=1e-3 | cone=elliptic
  option density=1.2 | gravity=0 0 -3 | impratio=3 | integrator=implicit | iterations=33 | jacobian=dense | ls_iterations=33 | ls_tolerance=.3
  magnetic=1 2 3 | noslip_iterations=3 | noslip_tolerance=1e-3 | o_friction=.3 | o_margin=.3 | o_solimp=.3 .4 .1 .5 2 | o_solref=.3 1
  sdf_initpoints=33 | sdf_iterations=33 | sleep_tolerance=.3 | solver=CG | timestep=.004 | tolerance=1e-3 | viscosity=1 | wind=1 2 3
  center=1 2 3 | extent=3 | meaninertia=3 | meanmass=3 | meansize=3 | azimuth=33 | bvactive=false | cameraid=1 | elevation=33
  asset hfield elevation=1 2 3 4 | ellipsoidinertia=true | fovy=33 | glow=.5 | linewidth=3 | offheight=333 | offwidth=333 | orthographic=true
  realtime=.5 | numquads=3 | numslices=33 | numstacks=33 | offsamples=3 | shadowsize=333 | headlight active=0 | hfield file=no.png | ncol=4 | nrow=4
  hfield size=2 2 2 2 | mesh builtin=sphere | mesh vertex=0 0 0 2 0 0 0 1 0 0 0 1 | mesh face=0 1 2 0 1 3 0 3 2 1 2 3 | file=no.obj | mesh inertia=convex
  maxhullvert=5 | refpos=1 2 3 | refquat=0 1 0 0 | mesh scale=2 2 2 | smoothnormal=true | texture builtin=gradient | colorspace=sRGB | height=4
  texture file=no.png [builtin="none"] | fileback=no.png [type="cube" builtin="none"] | filedown=no.png [type="cube" builtin="none"]
  filefront=no.png [type="cube" builtin="none"] | fileleft=no.png [type="cube" builtin="none"] | fileright=no.png [type="cube" builtin="none"]
  fileup=no.png [type="cube" builtin="none"] | mark=edge | markrgb=1 0 0 [mark="edge"] | random=.5 [mark="random"] | rgb1=1 0 0 | rgb2=0 1 0
  texture type=cube [width="8"] | texture width=4 | emission=.3 | metallic=.3 | reflectance=.3 | roughness=.3 | shininess=.3 | asset material specular=.3
  texrepeat=2 3 | texture=ty | texuniform=true | role=normal | model name=zz | model file=n.xml | nkey=3 | memory=1M`
    .split(/\s*[|\n]\s*/)
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
);

/** Attributes without an effect on these models, in MuJoCo as here. */
const WITHOUT_EFFECT = new Set(
  `compiler conflict, compiler coordinate, compiler passthrough, compiler savecanonical, compiler savecompiled, compiler saveinertial,
  compiler usethread, lengthrange maxforce, lengthrange tolrange, flag energy, flag fwdinv, flag invdiscrete, flag midphase, mesh content_type,
  mesh normal, hfield content_type, texture content_type, texture embed, model content_type, body simple, body fuse, equality name,
  adhesion class, flexcomp cellcount,
  compiler assetdir, compiler meshdir, compiler texturedir, mesh params, mesh texcoord, texture gridsize, texture gridlayout, texture hflip, texture vflip,
  texture nchannel, general group, motor group, position group, velocity group, intvelocity group, damper group, cylinder group, muscle group, dcmotor group, adhesion group, general ffrange, general velrange, general input, user needstage, user objname, user objtype, user datatype`
    .split(',')
    .map((entry) => entry.trim()),
);

/** The longest name that has a value: `body flexcomp pin id`, `flexcomp pin id`, `pin id`, `id`. */
function findEntry<T>(table: Readonly<Record<string, T>>, path: string, attribute: string): T | undefined {
  const words = [...path.split(' '), attribute];
  for (let i = 0; i < words.length; i++) {
    const found = table[words.slice(i).join(' ')];
    if (found !== undefined) return found;
  }
  return undefined;
}

const ENABLED = new Set('energy fwdinv invdiscrete ipc override sleep speculative diagexact'.split(' '));

function findValue(path: string, attribute: string): string {
  const found = findEntry(VALUES, path, attribute);
  if (path === 'option flag') return ENABLED.has(attribute) ? 'enable' : 'disable';
  if (path === 'visual rgba') return '.1 .2 .3 .4';
  return path === 'visual map' || path === 'visual scale' ? '.77' : (found ?? '3');
}

function findPlace(path: string, attribute: string): Place {
  const name = path.split(' ').at(-1)!;
  if (path.startsWith('actuator ')) return ['', ACTUATORS[name] ?? 'joint="j"'];
  if (path.startsWith('sensor ')) return ['', SENSED.find(([kind]) => kind.test(name))?.[1] ?? ''];
  return PLACES[`${path} ${attribute}`] ?? PLACES[path] ?? ['', ''];
}

/** Attributes, the later over the earlier; empty ones are left out. */
function joinAttributes(...texts: string[]): string {
  const all = new Map<string, string>();
  for (const text of texts) for (const [, name, value] of text.matchAll(/(\S+)="([^"]*)"/g)) all.set(name!, value!);
  return [...all].map(([name, value]) => (value === '' ? '' : `${name}="${value}"`)).join(' ');
}

/** The whole file with an element in its place. */
function writeModel(path: string, attribute: string, attributes: string): string {
  const words = path.split(' ');
  const name = words.at(-1)!;
  const section = words[0] === 'body' ? 'worldbody' : words[0]!;
  const [before, , after = ''] = findPlace(path, attribute);
  const [end = '', other, more = ''] = after.split('|');
  const flags = path === 'option' ? '<flag override="enable" sleep="enable"/>' : '';
  const closes = end.startsWith('</') || (end.includes('</') && before !== '');
  const element = closes ? `<${name} ${attributes}/>${end}` : `<${name} ${attributes}>${flags}${end}</${name}>`;
  const own = words.length === 1 && name !== 'body' ? '' : before + element;
  let text = own === '' ? element : '';
  for (const key of new Set([...Object.keys(SECTIONS), section, other])) {
    if (key === undefined || (own === '' && key === section)) continue;
    const content = (SECTIONS[key] ?? '') + (key === section ? own : '') + (key === other ? more : '');
    text += `<${key}>${content}</${key}>`;
  }
  return `<mujoco>${text}</mujoco>`;
}

const known = new Map<string, ReturnType<typeof readFresh>>();

/** Most attributes of an element are compared with one and the same file. */
function readOutcome(text: string): ReturnType<typeof readFresh> {
  const outcome = known.get(text) ?? readFresh(text);
  known.set(text, outcome);
  return outcome;
}

/** What becomes of a file: the scene and what is listed, or the error. */
function readFresh(text: string): { outcome: string; lost: (string | undefined)[]; code?: string } {
  const files = memoryFiles({ 'main.xml': text, 'm.xml': CHILD, 'n.xml': CHILD.replace('"mb"', '"md"') });
  try {
    const { scene, unsupported } = readMjcf('main.xml', { files });
    const listed = unsupported.map(({ element, attribute, message }) => [element, attribute, message]);
    const lost = unsupported.filter(({ attribute }) => attribute === undefined).map(({ element }) => element);
    return { outcome: JSON.stringify([scene, listed]), lost };
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { outcome: message, lost: [], code };
  }
}

describe('attributes of MuJoCo 4.0', () => {
  test.each(SCHEMA)('<%s>', (path, attributes) => {
    const name = path.split(' ').at(-1)!;
    const silent = attributes.filter((attribute) => {
      const [, value, both = ''] = /^([^[]*?)\s*(?:\[(.*)\])?$/.exec(findValue(path, attribute))!;
      const plain = joinAttributes(findPlace(path, attribute)[1], both);
      const base = readOutcome(writeModel(path, attribute, plain));
      if (base.lost.includes(name) || base.lost.includes(path.split(' ')[0])) return false;
      const changed = readOutcome(writeModel(path, attribute, joinAttributes(plain, `${attribute}="${value}"`)));
      return changed.code === 'unknown-field' || base.outcome === changed.outcome;
    });
    const expected = attributes.filter((attribute) => WITHOUT_EFFECT.has(`${name} ${attribute}`));
    expect(silent.sort()).toEqual(expected.sort());
  });
});
