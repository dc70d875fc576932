import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fromPackage } from '../package-folder.ts';
import {
  writeChain,
  writeFallingBoxes,
  writeFlexBeam,
  writeFreeBodies,
  writeFreeMeshes,
  writePyramid,
  writeTowers,
  writeWall,
} from './generated-mjcf.ts';

/** A model file and the files it names. */
export interface ModelSource {
  xml: string;
  files?: Readonly<Record<string, string>>;
}

/** A model, or why it cannot be had on this machine. */
export type BenchSource = ModelSource | { missing: string };

/** Something both engines do with the same MJCF. */
export interface BenchScene {
  name: string;
  /** What is timed, in a sentence. */
  description: string;
  /**
   * A step of the simulation, reading and compiling the file, finding all contacts of one configuration; A and B of a step, or the reverse
   * product of a step with a vector.
   */
  task: 'step' | 'compile' | 'detect' | 'linearize' | 'vjp';
  /** Whether the time is compared with that of our own step, not with the peer. */
  isAgainstStep?: boolean;
  /** Of `vjp`: whether all products are those of one step, which is solved before. */
  isSameStep?: boolean;
  /** Steps the peer runs first, to bring the bodies into contact. */
  settleSteps?: number;
  /** Constraint solver of both engines, where a step has constraints. */
  solver?: 'newton' | 'cg';
  /** Where NexDyn solves another problem than its peer on the same bodies: the motions are not compared. */
  formulation?: 'sap' | 'ccp' | 'ipc';
  /** Target ratio to the peer, and to its native library. */
  target?: number;
  nativeTarget?: number;
  /** Scenes of a family differ in size only: their times show the growth. */
  family?: { name: string; size: number };
  createXml(): BenchSource;
}

/** Folder of models that are not part of the repository: NEXDYN_MODELS, else beside the clone. */
function findModelsFolder(): string {
  return process.env['NEXDYN_MODELS'] ?? fromPackage('../../../shared/models');
}

function readModel(path: string, others: readonly string[] = []): BenchSource {
  const folder = join(findModelsFolder(), dirname(path));
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  try {
    return { xml: read(basename(path)), files: Object.fromEntries(others.map((name) => [name, read(name)])) };
  } catch {
    return { missing: `${path} not found: set NEXDYN_MODELS to the folder of models` };
  }
}

function createHumanoidXml(): BenchSource {
  const source = readModel('mujoco/humanoid.xml');
  if ('missing' in source) return source;
  // nothing touches, nothing is limited: both engines do the same smooth physics
  return { xml: source.xml.replace(/<mujoco[^>]*>/, '$&\n  <option><flag constraint="disable"/></option>') };
}

const CASSIE_MESHES =
  'achilles-rod foot-crank foot heel-spring hip-pitch hip-roll hip-yaw knee-spring knee pelvis plantar-rod shin tarsus';

/** Cassie of MuJoCo Menagerie with its encoders and its inertial unit, without its picture; files in one folder. */
function createCassieXml(): BenchSource {
  const meshes = CASSIE_MESHES.split(' ').map((name) => `assets/${name}.obj`);
  const source = readModel('menagerie/agility_cassie/scene.xml', ['cassie.xml', ...meshes]);
  if ('missing' in source) return source;
  const flat = Object.entries(source.files ?? {}).map(([name, text]) => [name.replace('assets/', ''), text] as const);
  const files = Object.fromEntries(flat);
  const robot = files['cassie.xml'] ?? '';
  files['cassie.xml'] = robot
    .replace(/ meshdir="assets" texturedir="assets"/, '')
    .replace(/<texture[^>]*>/, '')
    .replace(/ texture="cassie"/, '');
  return { xml: source.xml, files };
}

/** The same scene under Newton and under conjugate gradients. */
function createContactScenes(
  name: string,
  description: string,
  settleSteps: number,
  nativeTarget: number,
  createXml: BenchScene['createXml'],
): BenchScene[] {
  return (['newton', 'cg'] as const).map((solver) => ({
    name: solver === 'newton' ? name : `${name}-${solver}`,
    description,
    task: 'step',
    settleSteps,
    solver,
    nativeTarget,
    createXml,
  }));
}

/** At most 120 links: deeper trees overflow the stack of MuJoCo's WebAssembly compiler. */
function createChainScene(size: number): BenchScene {
  return {
    name: `chain${size}`,
    description: `${size} links in a row, damped hinges, swinging from one end`,
    task: 'step',
    nativeTarget: 1.2,
    family: { name: 'chain', size },
    createXml: () => ({ xml: writeChain(size) }),
  };
}

function createFreeBodiesScene(size: number): BenchScene {
  return {
    name: `free-bodies-${size}`,
    description: `${size} free boxes, tumbling`,
    task: 'step',
    ...(size >= 100 && { target: 0.8 }),
    family: { name: 'free-bodies', size },
    createXml: () => ({ xml: writeFreeBodies(size) }),
  };
}

/** A structure at rest, or boxes that fall on each other, under `sap` and `ccp`; the peer with Newton on the same bodies. */
function createVelocityScenes(
  name: string,
  description: string,
  settleSteps: number,
  createXml: BenchScene['createXml'],
): BenchScene[] {
  return (['sap', 'ccp'] as const).map((formulation) => ({
    name: `${name}-${formulation}`,
    description: `${description}, under ${formulation}; the peer with Newton`,
    task: 'step',
    settleSteps,
    solver: 'newton',
    formulation,
    createXml,
  }));
}

function createPileScenes(size: number, settleSteps: number): BenchScene[] {
  const xml = (): ModelSource => ({ xml: writeFallingBoxes(size) });
  return createVelocityScenes(`pile-${size}`, `${size} boxes while they fall on each other`, settleSteps, xml).map(
    (scene) => ({ ...scene, family: { name: `pile-${scene.formulation}`, size } }),
  );
}

function createBarrierScene(size: number, target?: number): BenchScene {
  return {
    name: size === 1 ? 'ipc-box-1' : `ipc-boxes-${size}`,
    description: size === 1 ? 'a box at rest under ipc' : `${size} boxes at rest in towers of four under ipc`,
    task: 'step',
    settleSteps: 300,
    solver: 'newton',
    formulation: 'ipc',
    ...(target && { target }),
    family: { name: 'ipc-boxes', size },
    createXml: () => ({ xml: writeTowers(size) }),
  };
}

/** A soft beam of 96 tetrahedra per cell of its length, under its weight, in steps of a millisecond. */
function createFlexScene(length: number, formulation: 'sap' | 'ipc'): BenchScene {
  const tetrahedra = 96 * length;
  return {
    name: `flex-${tetrahedra}${formulation === 'ipc' ? '-ipc' : ''}`,
    description: `a soft beam of ${tetrahedra} tetrahedra, clamped, under ${formulation}; the peer's flex`,
    task: 'step',
    settleSteps: 5,
    solver: 'newton',
    formulation,
    family: { name: `flex-${formulation}`, size: tetrahedra },
    createXml: () => ({ xml: writeFlexBeam(length) }),
  };
}

function createDetectionScene(size: number): BenchScene {
  return {
    name: `detect-boxes-${size}`,
    description: `all contacts of ${size} boxes that have fallen on each other`,
    task: 'detect',
    settleSteps: 200,
    target: 0.8,
    family: { name: 'detect-boxes', size },
    createXml: () => ({ xml: writeFallingBoxes(size) }),
  };
}

function createReverseScene(size: number, formulation?: 'sap' | 'ccp' | 'ipc', isSameStep = false): BenchScene {
  const family = `vjp-${isSameStep ? 'again-' : ''}boxes${formulation ? `-${formulation}` : ''}`;
  return {
    name: `${family}-${size}`,
    description: `${isSameStep ? 'one more' : 'a'} gradient through a step of ${size} boxes at rest in towers of four, against our own step`,
    task: 'vjp',
    isAgainstStep: true,
    ...(isSameStep && { isSameStep, ...(formulation === 'ipc' && { target: 0.3 }) }),
    settleSteps: formulation ? 30 : 100,
    solver: 'newton',
    ...(formulation && { formulation }),
    family: { name: family, size },
    createXml: () => ({ xml: writeTowers(size) }),
  };
}

function createSoftReverseScene(isSameStep: boolean): BenchScene {
  return {
    name: `vjp-${isSameStep ? 'again-' : ''}flex-1920-ipc`,
    description: `${isSameStep ? 'one more' : 'a'} gradient through a step of a soft beam of 1920 tetrahedra, against our own step`,
    task: 'vjp',
    isAgainstStep: true,
    settleSteps: 20,
    formulation: 'ipc',
    ...(isSameStep && { isSameStep, target: 0.3 }),
    createXml: () => ({ xml: writeFlexBeam(20) }),
  };
}

/** Derivatives of a step of the humanoid on the ground: against the peer's differences, and in steps of our own. */
function createHumanoidDerivatives(): BenchScene[] {
  const scene = {
    settleSteps: 300,
    solver: 'newton',
    createXml: () => readModel('mujoco/humanoid.xml'),
  } as const;
  return [
    {
      ...scene,
      name: 'linearize-humanoid',
      description: "A and B of a step of MuJoCo's humanoid on the ground, the peer by mjd_transitionFD",
      task: 'linearize',
      target: 0.2,
    },
    {
      ...scene,
      name: 'linearize-humanoid-steps',
      description: 'the same against our own step',
      task: 'linearize',
      isAgainstStep: true,
      target: 20,
    },
    {
      ...scene,
      name: 'vjp-humanoid',
      description: "gradient through a step of MuJoCo's humanoid, its solve included, against our own step",
      task: 'vjp',
      isAgainstStep: true,
      target: 1.5,
    },
    {
      ...scene,
      name: 'vjp-again-humanoid',
      description: 'one more gradient through the same step, against our own step',
      task: 'vjp',
      isAgainstStep: true,
      isSameStep: true,
      target: 1.5,
    },
  ];
}

/** All scenes, in the order in which they run. */
export const BENCH_SCENES: readonly BenchScene[] = [
  createChainScene(10),
  createChainScene(25),
  createChainScene(50),
  createChainScene(100),
  {
    name: 'humanoid-free-fall',
    description: "MuJoCo's humanoid falling with moving joints, constraints off",
    task: 'step',
    nativeTarget: 1.3,
    createXml: createHumanoidXml,
  },
  createFreeBodiesScene(10),
  createFreeBodiesScene(100),
  createFreeBodiesScene(1000),
  ...createContactScenes('humanoid', "MuJoCo's humanoid on the ground", 300, 1, () => readModel('mujoco/humanoid.xml')),
  ...createContactScenes('22-humanoids', "MuJoCo's 22 humanoids in a heap", 200, 0.9, () =>
    readModel('mujoco/22_humanoids.xml', ['humanoid.xml']),
  ),
  {
    name: 'cassie-sensors',
    description: 'Cassie of MuJoCo Menagerie on the ground, with its 20 sensors',
    task: 'step',
    settleSteps: 100,
    solver: 'newton',
    target: 0.8,
    createXml: createCassieXml,
  },
  ...createContactScenes('pyramid-55', 'pyramid of 55 boxes', 200, 0.8, () => ({ xml: writePyramid(10) })),
  ...createContactScenes('wall-100', 'wall of 100 boxes', 200, 0.8, () => ({ xml: writeWall(10, 10) })),
  ...createContactScenes('boxes-1000', '1000 boxes falling on each other', 100, 1, () => ({
    xml: writeFallingBoxes(1000),
  })),
  {
    name: 'boxes-1000-ccp',
    target: 0.7,
    description: '1000 boxes falling on each other: cone complementarity to a residual of 1e-4, the peer with CG',
    task: 'step',
    settleSteps: 100,
    solver: 'cg',
    formulation: 'ccp',
    createXml: () => ({ xml: writeFallingBoxes(1000) }),
  },
  ...createVelocityScenes('wall-100-60', 'wall of 100 boxes at rest in steps of 1/60 s', 60, () => ({
    xml: writeWall(10, 10, 1 / 60),
  })),
  ...createVelocityScenes('pyramid-210-60', 'pyramid of 210 boxes at rest in steps of 1/60 s', 60, () => ({
    xml: writePyramid(20, 1 / 60),
  })),
  ...createPileScenes(100, 80),
  ...createPileScenes(1000, 80),
  createBarrierScene(1, 200),
  createBarrierScene(4, 400),
  createBarrierScene(16),
  createBarrierScene(64),
  createBarrierScene(256),
  {
    name: 'ipc-pile-1000',
    description: '1000 boxes while they fall on each other, under ipc; the peer with Newton',
    task: 'step',
    settleSteps: 80,
    solver: 'newton',
    formulation: 'ipc',
    createXml: () => ({ xml: writeFallingBoxes(1000) }),
  },
  {
    name: 'ipc-meshes-41',
    description: '41 meshes of 400 vertices that fall close to each other and do not touch, under ipc',
    task: 'step',
    settleSteps: 5,
    solver: 'newton',
    formulation: 'ipc',
    createXml: () => ({ xml: writeFreeMeshes(41, 400) }),
  },
  createFlexScene(10, 'sap'),
  createFlexScene(20, 'sap'),
  createFlexScene(40, 'sap'),
  createFlexScene(20, 'ipc'),
  createDetectionScene(100),
  createDetectionScene(1000),
  ...createHumanoidDerivatives(),
  ...([undefined, 'sap', 'ccp', 'ipc'] as const).flatMap((formulation) =>
    [10, 100, 1000].map((size) => createReverseScene(size, formulation)),
  ),
  ...([undefined, 'sap', 'ccp', 'ipc'] as const).map((formulation) => createReverseScene(100, formulation, true)),
  createSoftReverseScene(false),
  createSoftReverseScene(true),
  {
    name: 'compile-humanoid',
    description: "MuJoCo's humanoid from XML text to a compiled model",
    task: 'compile',
    createXml: createHumanoidXml,
  },
];
