/** Every reader of files, recordings and links, as the fuzzer calls it: bytes in, anything or the typed error out. */
import {
  type LoadedScene,
  loadScene,
  memoryFiles,
  readContactProblem,
  readCsv,
  readGmsh,
  readMesh,
  readNpz,
  readPng,
} from '@nexdyn/formats';
import { computeCrc } from '../../packages/formats/src/image/crc.ts';
import { parseAddress } from '../../packages/studio/src/address.ts';
import { parseRunFile, unpackRun, unpackScene } from '../../packages/studio/src/files/file-reading.ts';
import { listSceneFiles } from '../../packages/studio/src/files/main-file.ts';
import { readZip } from '../../packages/studio/src/files/zip-archive.ts';
import { mutateJson, mutateNumbers, mutateText, mutateXml } from './mutate-text.ts';
import type { RandomSource } from './random-source.ts';
import { stepScene } from './step-scene.ts';

/** A reader, and how its inputs are damaged beyond what suits every format. */
export interface FuzzTarget {
  readonly name: string;
  /** Folders of its corpus, where it is not called like the reader; new faults go into the first. */
  readonly corpus?: readonly string[];
  /** Words of the format. */
  readonly words: readonly string[];
  /** Damage that knows the format; half of the inputs get it. */
  readonly mutate?: (text: string, words: readonly string[], random: RandomSource) => string;
  /** Puts checksums right, so that damage reaches what is behind them. */
  readonly repair?: (bytes: Uint8Array) => void;
  /** Whether errors must name a line or a path, not the file alone. */
  readonly hasLines: boolean;
  /** Whether inputs are damaged by `mutate` alone, so that most are accepted. */
  readonly isGentle?: boolean;
  /** s of processor time that an input may take. Default: 1. */
  readonly longest?: number;
  /** Reads an input; `name` is that of the file in the corpus it was made from. */
  readonly read: (bytes: Uint8Array, name: string) => unknown;
}

/** s: a scene is compiled, and its step may take half a second before it is given up. */
const STEP_LONGEST = 3;

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1] ?? '';

const MESH = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n';
const PART = '<mujoco><worldbody><body name="part"><geom size="1"/></body></worldbody></mujoco>';
const SOLID = `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes
$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n`;

const loadWith =
  (path: string, others: Readonly<Record<string, string>>) =>
  (bytes: Uint8Array): LoadedScene =>
    loadScene(path, { files: memoryFiles({ ...others, [path]: bytes }) });

const split = (text: string): string[] => text.trim().split(/\s+/);

const MJCF =
  split(`mujoco compiler option flag default asset mesh hfield model worldbody body frame replicate attach inertial joint
  freejoint geom site contact pair exclude equality connect weld tendon fixed spatial pulley actuator general motor position velocity
  keyframe key include name class childclass type size pos quat euler axis range limited ref mass density friction solref solimp
  fromto mesh file vertex face nrow ncol elevation count offset sep prefix joint1 body1 geom1 site1 coef kp kv ctrlrange gear qpos
  qvel ctrl ball hinge slide free plane sphere capsule box cylinder ellipsoid part a.xml b.xml m.obj`);
const URDF =
  split(`robot link joint inertial visual collision geometry origin mass inertia box sphere cylinder capsule mesh material
  color texture parent child axis limit dynamics mimic safety_controller name type xyz rpy value ixx ixy radius length size filename
  scale rgba link lower upper effort velocity damping friction multiplier offset fixed revolute continuous prismatic floating planar
  world mujoco compiler meshdir package://r/m.obj m.obj`);
const SCENE =
  split(`format version name options formulation timestep gravity bodies joints shapes sites softBodies meshes materials
  heightFields signedDistanceFields equalities tendons actuators contactPairs contactExcludes terms keyframes kind position
  orientation inertia mass center moments tensor radius halfSize halfLength mesh vertices faces rows columns heights cells resolution
  elasticity hydroelastic modulus thickness limit range axis anchor body1 body2 joint1 joint2 transmission gear file scale box
  sphere free hinge ball slide weld connect grid torus a b __proto__ constructor toString`);
const GLTF =
  split(`asset scene scenes nodes children mesh meshes primitives attributes POSITION indices mode accessors bufferView
  byteOffset componentType count type sparse VEC3 SCALAR bufferViews buffer byteLength byteStride buffers uri matrix translation
  rotation scale extensionsRequired data:;base64,AAAA`);
const PROBLEM =
  split(`name dim contacts n row_order mu mu_s mu_r blocks W q format dense-rows rows coo-zero-based-full i j x kind
  contact nonnegative free box lower upper`);
const RUN =
  split(`format version path files record choice keyframe steps pulls hands changes hash base64 step body soft vertices
  force point target grab firstVertex formulation set nexdyn-run galleryId`);

/** Readers of scenes. */
const SCENE_TARGETS = [
  {
    name: 'mjcf',
    words: MJCF,
    mutate: mutateXml,
    hasLines: true,
    read: loadWith('a.xml', { 'b.xml': PART, 'm.obj': MESH }),
  },
  { name: 'urdf', words: URDF, mutate: mutateXml, hasLines: true, read: loadWith('a.urdf', { 'm.obj': MESH }) },
  { name: 'scene', words: SCENE, mutate: mutateJson, hasLines: true, read: loadWith('a.json', { 's.msh': SOLID }) },
] satisfies FuzzTarget[];

/** The same, and what they accept is compiled and stepped. */
const STEP_TARGETS: FuzzTarget[] = SCENE_TARGETS.map((target) => ({
  ...target,
  name: `${target.name}-step`,
  corpus: target.name === 'scene' ? ['scene', '../../../scenes'] : [target.name],
  mutate: (text, words, random) =>
    random.chance(0.8) ? mutateNumbers(text, random) : target.mutate(text, words, random),
  isGentle: true,
  longest: STEP_LONGEST,
  read: (bytes) => stepScene(target.read(bytes).scene, bytes),
}));

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...SCENE_TARGETS,
  ...STEP_TARGETS,
  {
    name: 'obj',
    words: split('v vn vt f o g usemtl mtllib l p curv surf cstype \\ # 1/1/1 -1 1//2'),
    mutate: mutateText,
    hasLines: false,
    read: (bytes) => readMesh('a.obj', bytes),
  },
  {
    name: 'stl',
    words: split('solid facet normal outer loop vertex endloop endfacet endsolid nan'),
    mutate: mutateText,
    hasLines: false,
    read: (bytes) => readMesh('a.stl', bytes),
  },
  { name: 'msh', words: ['$MeshFormat'], hasLines: false, read: (bytes) => readMesh('a.msh', bytes) },
  {
    name: 'gmsh',
    words: split('$MeshFormat $EndMeshFormat $Nodes $EndNodes $Elements $EndElements $Entities 2.2 4.1 4 11 15'),
    mutate: mutateText,
    hasLines: false,
    read: (bytes) => readGmsh('a.msh', bytes),
  },
  { name: 'gltf', words: GLTF, mutate: mutateJson, hasLines: false, read: (bytes) => readMesh('a.gltf', bytes) },
  { name: 'glb', words: GLTF, hasLines: false, read: (bytes) => readMesh('a.glb', bytes) },
  {
    name: 'png',
    words: ['IHDR', 'PLTE', 'IDAT', 'tRNS', 'IEND'],
    repair: repairImage,
    hasLines: false,
    read: (bytes) => readPng('a.png', bytes),
  },
  { name: 'zip', words: ['PK'], hasLines: false, read: (bytes) => readZip('a.zip', bytes) },
  {
    name: 'recording',
    words: split('time (s) , [0] nan 1e999 "" "'),
    hasLines: false,
    read: (bytes, name) => (extensionOf(name) === 'csv' ? readCsv(decode(bytes), 'a.csv') : readNpz(bytes, 'a.npz')),
  },
  {
    name: 'problem',
    words: PROBLEM,
    mutate: mutateJson,
    hasLines: true,
    read: (bytes) => readContactProblem(decode(bytes), 'a.json'),
  },
  {
    name: 'run',
    words: RUN,
    mutate: mutateJson,
    hasLines: true,
    read: (bytes) => parseRunFile(decode(bytes), 'a.json'),
  },
  {
    name: 'link',
    words: split('#file: ? & = set= run= t= camera= compare= speed= keyframe= % %E0%A4 formulation=sap'),
    mutate: mutateText,
    hasLines: false,
    // in a page a worker unpacks, with a time limit; here nothing but the bounds of the reader helps
    read: (bytes) => parseAddress(decode(bytes), { unpackScene, unpackRun }),
  },
  {
    name: 'folder',
    words: split('<!-- --> <? ?> <!DOCTYPE > <mujoco> <robot <include <model file="a.xml" <worldbody nexdyn-scene'),
    mutate: mutateText,
    hasLines: false,
    read: (bytes) => listSceneFiles({ 'a.xml': bytes, 'b/c.xml': decode(bytes), 'd.json': bytes }),
  },
];

/** Puts right the checksums of all chunks of an image. */
function repairImage(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > bytes.length) break;
    view.setUint32(end, computeCrc(bytes.subarray(at + 4, end)));
    at = end + 4;
  }
}
