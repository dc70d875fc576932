/** The attributes each element of MJCF may have; anything else is an error of the file. */
import type { XmlElement } from '../xml/xml.ts';
import { fail, suggestName, suggestWord } from './failure.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

const ORIENTATION = 'quat axisangle xyaxes zaxis euler';
const CONTACT = 'condim solref solimp margin gap';
const TENDON = `name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit solreffriction
  solimpfriction frictionloss springlength margin stiffness damping armature springyield user`;
const ACTUATOR = `name class group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange lengthrange gear
  damping armature cranklength joint jointinparent tendon slidersite cranksite site refsite`;
const EQUALITY = 'name class active solref solimp';

const SENSOR = 'name noise cutoff user nsample interp delay interval';
const SEEN = 'objtype objname reftype refname';

const TABLE: Readonly<Record<string, string>> = {
  mujoco: 'model',
  compiler: `autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq
    meshdir texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange saveinertial assetdir alignfree
    conflict passthrough savecanonical savecompiled`,
  'compiler lengthrange': 'mode useexisting uselimit accel maxforce timeconst timestep inttotal interval tolrange',
  option: `timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind magnetic
    density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations
    noslip_iterations ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable`,
  flag: `constraint equality frictionloss limit contact spring damper passive gravity clampctrl warmstart filterparent
    actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy fwdinv invdiscrete
    sleep diagexact speculative ipc`,
  default: 'class',
  'extension plugin': 'plugin instance',
  'plugin instance': 'name',
  'plugin config': 'key value',
  'asset mesh': `name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal maxhullvert
    inertia builtin params material`,
  'asset hfield': 'name content_type file nrow ncol size elevation',
  'asset texture': `name class type content_type file gridsize gridlayout fileright fileleft fileup filedown filefront
    fileback builtin rgb1 rgb2 mark markrgb random width height hflip vflip nchannel colorspace embed`,
  'asset material': `name class texture texrepeat texuniform emission specular shininess reflectance metallic roughness
    rgba`,
  'asset model': 'name file content_type',
  'visual global': `azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth offheight offwidth
    orthographic realtime treedepth`,
  'visual quality': 'numquads numslices numstacks offsamples shadowsize',
  'visual headlight': 'active ambient diffuse specular',
  'visual map': `actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness stiffnessrot torque zfar
    znear`,
  statistic: 'meaninertia meanmass meansize extent center',
  skin: 'name file material rgba inflate vertex texcoord face group',
  'skin bone': 'body bindpos bindquat vertid vertweight',
  camera: `name class mode target pos ${ORIENTATION} fovy ipd resolution focal focalpixel principal principalpixel sensorsize
    projection orthographic output user`,
  light: `name class mode target type directional active castshadow pos dir bulbradius intensity range attenuation cutoff
    exponent ambient diffuse specular texture softness`,
  worldbody: '',
  body: `name childclass pos ${ORIENTATION} mocap gravcomp sleep simple fuse user`,
  frame: `name childclass pos ${ORIENTATION}`,
  replicate: 'count offset euler sep childclass prefix',
  attach: 'model body frame prefix',
  inertial: `pos mass diaginertia fullinertia ${ORIENTATION}`,
  joint: `name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction
    solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref armature damping frictionloss springyield user`,
  freejoint: 'name group align',
  geom: `name class type contype conaffinity group priority size material friction mass density shellinertia solmix
    ${CONTACT} surfacevel adhesion fromto pos ${ORIENTATION} hfield mesh fitscale rgba castshadow fluidshape fluidcoef user`,
  site: `name class type group pos ${ORIENTATION} material mesh size fromto rgba user`,
  pair: `name class geom1 geom2 friction solreffriction ${CONTACT} adhesion`,
  exclude: 'name body1 body2',
  connect: `${EQUALITY} body1 body2 anchor site1 site2`,
  weld: `${EQUALITY} body1 body2 relpose anchor site1 site2 torquescale`,
  'equality joint': `${EQUALITY} joint1 joint2 polycoef`,
  'equality tendon': `${EQUALITY} tendon1 tendon2 polycoef`,
  equality: 'active solref solimp',
  tendon: `${TENDON} width material rgba`,
  fixed: TENDON,
  spatial: `${TENDON} width material rgba`,
  'fixed joint': 'joint coef',
  'spatial site': 'site',
  'spatial geom': 'geom sidesite',
  'spatial pulley': 'divisor',
  general: `${ACTUATOR} actlimited actrange body actdim inheritrange input velrange ffrange dyntype gaintype biastype dynprm gainprm
    biasprm actearly`,
  motor: ACTUATOR,
  position: `${ACTUATOR} inheritrange kp kv dampratio timeconst`,
  pid: `${ACTUATOR} kp kv ki dampratio imax slewmax input posrange velrange ffrange inheritrange`,
  velocity: `${ACTUATOR} kv`,
  intvelocity: `${ACTUATOR} actlimited actrange inheritrange kp kv dampratio`,
  damper: `${ACTUATOR} kv`,
  muscle: `${ACTUATOR} actlimited actrange timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax`,
  cylinder: `${ACTUATOR} timeconst area diameter bias`,
  adhesion: 'name class group nsample interp delay ctrlrange ctrllimited user forcelimited forcerange body gain',
  dcmotor: `${ACTUATOR} motorconst resistance nominal saturation inductance cogging controller thermal lugre input`,
  flexcomp: `name type group dim dof count cellcount spacing radius rigid mass inertiabox scale file mesh point element
    texcoord material rgba flatskin pos ${ORIENTATION} origin`,
  'flexcomp edge': 'equality solref solimp stiffness damping',
  'flexcomp pin': 'id range grid gridrange',
  flex: `name group dim radius material rgba flatskin body vertex element texcoord elemtexcoord node nodecoord cellcount
    dof`,
  'flex edge': 'stiffness damping',
  'flex elasticity': 'young poisson shear damping thickness elastic2d yield section sectionsize',
  'flex contact': `contype conaffinity condim priority friction solmix solref solimp margin gap internal selfcollide
    activelayers vertcollide passive`,
  'equality flex': `${EQUALITY} flex`,
  composite: 'prefix type count offset vertex initial curve size quat',
  'sensor touch': `${SENSOR} site`,
  'sensor accelerometer': `${SENSOR} site`,
  'sensor velocimeter': `${SENSOR} site`,
  'sensor gyro': `${SENSOR} site`,
  'sensor force': `${SENSOR} site`,
  'sensor torque': `${SENSOR} site`,
  'sensor magnetometer': `${SENSOR} site`,
  'sensor camprojection': `${SENSOR} site camera`,
  'sensor rangefinder': `${SENSOR} site camera data`,
  'sensor jointpos': `${SENSOR} joint`,
  'sensor jointvel': `${SENSOR} joint`,
  'sensor jointactuatorfrc': `${SENSOR} joint`,
  'sensor ballquat': `${SENSOR} joint`,
  'sensor ballangvel': `${SENSOR} joint`,
  'sensor jointlimitpos': `${SENSOR} joint`,
  'sensor jointlimitvel': `${SENSOR} joint`,
  'sensor jointlimitfrc': `${SENSOR} joint`,
  'sensor tendonpos': `${SENSOR} tendon`,
  'sensor tendonvel': `${SENSOR} tendon`,
  'sensor tendonactuatorfrc': `${SENSOR} tendon`,
  'sensor tendonlimitpos': `${SENSOR} tendon`,
  'sensor tendonlimitvel': `${SENSOR} tendon`,
  'sensor tendonlimitfrc': `${SENSOR} tendon`,
  'sensor actuatorpos': `${SENSOR} actuator`,
  'sensor actuatorvel': `${SENSOR} actuator`,
  'sensor actuatorfrc': `${SENSOR} actuator`,
  'sensor framepos': `${SENSOR} ${SEEN}`,
  'sensor framequat': `${SENSOR} ${SEEN}`,
  'sensor framexaxis': `${SENSOR} ${SEEN}`,
  'sensor frameyaxis': `${SENSOR} ${SEEN}`,
  'sensor framezaxis': `${SENSOR} ${SEEN}`,
  'sensor framelinvel': `${SENSOR} ${SEEN}`,
  'sensor frameangvel': `${SENSOR} ${SEEN}`,
  'sensor framelinacc': `${SENSOR} objtype objname`,
  'sensor frameangacc': `${SENSOR} objtype objname`,
  'sensor subtreecom': `${SENSOR} body`,
  'sensor subtreelinvel': `${SENSOR} body`,
  'sensor subtreeangmom': `${SENSOR} body`,
  'sensor insidesite': `${SENSOR} objtype objname site enclosed`,
  'sensor distance': `${SENSOR} geom1 geom2 body1 body2`,
  'sensor normal': `${SENSOR} geom1 geom2 body1 body2`,
  'sensor fromto': `${SENSOR} geom1 geom2 body1 body2`,
  'sensor contact': `${SENSOR} geom1 geom2 body1 body2 subtree1 subtree2 site num data reduce`,
  'sensor e_potential': SENSOR,
  'sensor e_kinetic': SENSOR,
  'sensor clock': SENSOR,
  'sensor tactile': `${SENSOR} geom mesh`,
  'sensor user': `${SENSOR} objtype objname datatype needstage dim`,
  key: 'name time qpos qvel act mpos mquat ctrl plastic',
};

const known = new Map<string, ReadonlySet<string>>();

/** Throws where an element has an attribute that MJCF does not know. `row` names the row of the table. */
export function checkAttributes(element: XmlElement, row: string = element.name): void {
  let allowed = known.get(row);
  if (!allowed) {
    const text = TABLE[row];
    if (text === undefined) return;
    allowed = new Set(words(text));
    known.set(row, allowed);
  }
  for (const [name, at] of element.attributes) {
    if (allowed.has(name)) continue;
    const hint = row === 'worldbody' ? 'the world has no attributes' : suggestName(name, allowed, 'its attributes');
    fail('unknown-field', { ...at, file: element.file }, `<${element.name}> has no attribute '${name}'`, hint);
  }
}

/** An element that MJCF does not have inside its parent is an error of the file, as it is in MuJoCo. */
export function failUnknownElement(element: XmlElement, parent: string): never {
  const names = new Set(Object.keys(TABLE).map((row) => row.split(' ').at(-1)!));
  // the same name elsewhere is no suggestion
  names.delete(element.name);
  const hint = suggestWord(element.name, names) ?? 'remove it, or check in which element it belongs';
  fail('unsupported-element', element, `<${element.name}> is not an element of MJCF inside <${parent}>`, hint);
}
