/**
 * URDF: links connected by joints to a tree. The root link does not move, as in other readers, unless it is called
 * `world` and a floating joint carries the robot. Angles are in radians, lengths in metres.
 */
import {
  type Body,
  type JointEquality,
  type MassRules,
  NexdynError,
  type Pose,
  type Quaternion,
  type Scene,
  type Shape,
  type Vec3,
  validateScene,
} from '@nexdyn/engine';
import { limitFiles, type ReadLimits, resolveLimits } from '../limits.ts';
import type { LoadedScene, LoadOptions } from '../loaded-scene.ts';
import { readTextFile } from '../text-file.ts';
import { parseXml, type XmlElement } from '../xml/xml.ts';
import { failAt, findChild, placeOf, readNumber, readOrigin } from './attribute.ts';
import { ShapeReader } from './geometry.ts';
import { listDoubtful, listUnbalanced, readInertial } from './inertial.ts';
import { readJoints, readJointType, readMimic } from './joint.ts';
import { MeshLibrary } from './mesh-library.ts';
import { multiplyQuaternions, rotateVector } from './rotation.ts';
import { listUnsupported } from './supported.ts';
import { readTransmissions } from './transmission.ts';
import { buildTree, type UrdfJoint, type UrdfLink } from './tree.ts';

/** Reads a URDF file. */
export function readUrdf(path: string, options: LoadOptions): LoadedScene {
  const limits = resolveLimits(options.limits);
  const files = limitFiles(options.files, limits);
  const robot = parseXml(readTextFile(path, files, 'malformed-xml'), path, limits);
  const loaded = convertRobot(robot, path, { ...options, files });
  checkScene(loaded.scene, robot, limits);
  return loaded;
}

/** Checks the scene as scenes in JSON are checked; a fault is reported at the robot, with its path in the scene. */
function checkScene(scene: Scene, robot: XmlElement, limits: Readonly<ReadLimits>): void {
  try {
    validateScene(scene, limits);
  } catch (error) {
    if (!(error instanceof NexdynError) || error.file !== undefined) throw error;
    const { code, reason, path = '', hint = 'check the numbers of the file' } = error;
    throw new NexdynError(code, reason, { ...placeOf(robot), path, hint });
  }
}

/** The scene of a `<robot>` element. */
export function convertRobot(robot: XmlElement, path: string, options: LoadOptions): LoadedScene {
  if (robot.name !== 'robot') {
    failAt(robot, 'unsupported-element', `the root element is <${robot.name}>`, 'a URDF file begins with <robot>');
  }
  refuseXacro(robot);
  const compiler = readCompiler(robot);
  const meshes = new MeshLibrary(path, options, compiler);
  const shapes = new ShapeReader(robot, meshes, compiler.discardVisual);
  const unsupported = listUnsupported(robot);

  const links = buildTree(robot);
  const world = hangLinks(links, shapes, unsupported);
  listDoubtful(links, unsupported);
  if (!compiler.massRules.balanceInertia && listUnbalanced(links, unsupported))
    compiler.massRules.balanceInertia = true;
  const joints = new Map(links.flatMap(({ joint }) => (joint ? [[joint.name, joint] as [string, UrdfJoint]] : [])));
  const equalities = readEqualities(joints, unsupported);
  const actuators = readTransmissions(robot, joints, unsupported);
  const name = robot.attributes.get('name')?.value;
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    ...(name && { name }),
    ...(Object.keys(compiler.massRules).length > 0 && { massRules: compiler.massRules }),
    ...(meshes.meshes.length > 0 && { meshes: meshes.meshes }),
    ...(world.shapes.length > 0 && { shapes: world.shapes }),
    ...(world.bodies.length > 0 && { bodies: world.bodies }),
    ...(equalities.length > 0 && { equalities }),
    ...(actuators.length > 0 && { actuators }),
  };
  unsupported.push(...shapes.unsupported, ...meshes.unsupported);
  unsupported.sort((a, b) => a.line - b.line || a.column - b.column);
  return { scene, unsupported };
}

interface World {
  shapes: Shape[];
  bodies: Body[];
}

/** A link that is in place. */
interface Placed {
  /** Where its children go. */
  children: Body[];
  /** Its pose in the world where it does not move. */
  fixedAt: Required<Pose> | undefined;
}

const ORIGIN: Required<Pose> = { position: [0, 0, 0], orientation: [1, 0, 0, 0] };

/** Makes a body of every link and hangs it on its parent's. */
function hangLinks(links: UrdfLink[], shapes: ShapeReader, unsupported: LoadedScene['unsupported']): World {
  const world: World = { shapes: [], bodies: [] };
  const placed = new Map<string, Placed>();
  for (const { name, element, joint } of links) {
    const parent = joint ? placed.get(joint.parent)! : { children: world.bodies, fixedAt: ORIGIN };
    if (name === 'world') {
      // a root of this name is the world itself
      if (joint)
        failAt(element, 'duplicate-name', "only the root link can be called 'world'", 'rename the link', 'name');
      world.shapes = shapes.readShapes(element);
      placed.set(name, parent);
      continue;
    }
    const joints = joint ? readJoints(joint, parent.fixedAt !== undefined, unsupported) : [];
    const pose = joint ? readOrigin(joint.element) : {};
    const own = shapes.readShapes(element);
    const body: Body = {
      name,
      ...pose,
      ...(joints.length > 0 && { joints }),
      ...(own.length > 0 && { shapes: own }),
      inertia: readInertial(element),
      bodies: [],
    };
    const fixedAt = parent.fixedAt && joints.length === 0 ? composePoses(parent.fixedAt, pose) : undefined;
    if (joints[0]?.kind === 'free') {
      // free bodies are children of the world
      world.bodies.push({ ...body, ...composePoses(parent.fixedAt!, pose) });
      placed.set(name, { children: world.bodies.at(-1)!.bodies!, fixedAt });
    } else {
      parent.children.push(body);
      placed.set(name, { children: body.bodies!, fixedAt });
    }
  }
  removeEmptyLists(world.bodies);
  return world;
}

function removeEmptyLists(bodies: Body[]): void {
  const pending = [...bodies];
  for (let body = pending.pop(); body; body = pending.pop()) {
    for (const child of body.bodies!) pending.push(child);
    if (body.bodies!.length === 0) delete body.bodies;
  }
}

function readEqualities(
  joints: ReadonlyMap<string, UrdfJoint>,
  unsupported: LoadedScene['unsupported'],
): JointEquality[] {
  return [...joints.values()].flatMap((joint) => {
    readJointType(joint.element);
    return readMimic(joint, joints, unsupported) ?? [];
  });
}

/** Pose b, given in the frame of a, in the frame that a is given in. */
function composePoses(a: Required<Pose>, b: Pose): Required<Pose> {
  const offset: Vec3 = b.position ? rotateVector(a.orientation, b.position) : [0, 0, 0];
  const orientation: Quaternion = b.orientation ? multiplyQuaternions(a.orientation, b.orientation) : a.orientation;
  return { position: a.position.map((value, i) => value + offset[i]!) as Vec3, orientation };
}

/** Settings of the extension `<mujoco><compiler .../></mujoco>`. */
function readCompiler(robot: XmlElement): {
  meshFolder: string;
  stripPath: boolean;
  discardVisual: boolean;
  massRules: MassRules;
} {
  const mujoco = findChild(robot, 'mujoco');
  const compiler = mujoco && findChild(mujoco, 'compiler');
  const isSet = (name: string): boolean => compiler?.attributes.get(name)?.value.trim() === 'true';
  const [minimumMass, minimumInertia] = ['boundmass', 'boundinertia'].map((name) =>
    compiler ? readNumber(compiler, name, 0) : 0,
  ) as [number, number];
  return {
    meshFolder: compiler?.attributes.get('meshdir')?.value.trim() ?? '',
    stripPath: isSet('strippath'),
    discardVisual: isSet('discardvisual'),
    massRules: {
      ...(minimumMass > 0 && { minimumMass }),
      ...(minimumInertia > 0 && { minimumInertia }),
      ...(isSet('balanceinertia') && { balanceInertia: true }),
    },
  };
}

/** Macros must be expanded before; reading around them would lose parts of the robot. */
function refuseXacro(robot: XmlElement): void {
  const pending = [robot];
  for (let element = pending.pop(); element; element = pending.pop()) {
    if (element.name.startsWith('xacro:')) {
      failAt(element, 'unsupported-element', `<${element.name}> is a macro`, 'expand the file with xacro first');
    }
    for (const child of element.children) pending.push(child);
  }
}
