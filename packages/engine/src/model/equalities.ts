/**
 * Equalities with all their numbers filled in from the initial pose of the scene. Layout of `data`: see
 * `ModelEqualities`; points are in the frames of their bodies.
 */
import { NexdynError } from '../error.ts';
import { type Poses, transformPoint, untransformPoint } from '../linear-algebra/pose.ts';
import {
  multiplyQuaternions,
  normalizeQuaternion,
  relativeQuaternion,
  rotateByQuaternion,
} from '../linear-algebra/quaternion.ts';
import type {
  ConnectEquality,
  DistanceEquality,
  Equality,
  JointEquality,
  TendonEquality,
  WeldEquality,
} from '../scene/equality.ts';
import { DEFAULT_SOLIMP, DEFAULT_SOLREF } from './constraint-defaults.ts';
import { writeQuaternion } from './frames.ts';
import { repeat } from './joints.ts';
import { EQUALITY, type ModelEqualities, type ModelSites } from './model.ts';
import { quoteName, type SceneIndex } from './scene-index.ts';

/** Numbers per equality. */
const WIDTH = 11;

/** What filling in takes: sites, and poses of the bodies in the world. */
interface Surroundings {
  readonly index: SceneIndex;
  readonly site: ModelSites;
  readonly poses: Poses;
}

/** The equalities of a scene. */
export function compileEqualities(index: SceneIndex, site: ModelSites, poses: Poses): ModelEqualities {
  const sources = index.scene.equalities ?? [];
  const count = sources.length;
  const equality: ModelEqualities = {
    name: sources.map((source) => source.name ?? ''),
    kind: Uint8Array.from(sources, (source) => EQUALITY[source.kind]),
    object1: new Int32Array(count),
    object2: new Int32Array(count).fill(-1),
    data: new Float64Array(WIDTH * count),
    active: Uint8Array.from(sources, (source) => (source.active === false ? 0 : 1)),
    solref: repeat(DEFAULT_SOLREF, count),
    solimp: repeat(DEFAULT_SOLIMP, count),
  };
  const around = { index, site, poses };
  for (let e = 0; e < count; e++) {
    const source = sources[e];
    if (source.mujoco?.solref) equality.solref.set(source.mujoco.solref, 2 * e);
    if (source.mujoco?.solimp) equality.solimp.set(source.mujoco.solimp, 5 * e);
    const data = equality.data.subarray(WIDTH * e, WIDTH * (e + 1));
    const [object1, object2] = writeEquality(source, data, around, `equalities[${e}]`);
    equality.object1[e] = object1;
    equality.object2[e] = object2;
  }
  return equality;
}

function writeEquality(source: Equality, data: Float64Array, around: Surroundings, path: string): [number, number] {
  switch (source.kind) {
    case 'connect':
      return writeConnect(source, data, around);
    case 'weld':
      return writeWeld(source, data, around);
    case 'distance':
      return writeDistance(source, data, around, path);
    case 'joint':
    case 'tendon':
      return writePolynomial(source, data, around.index);
  }
}

function writeConnect(source: ConnectEquality, data: Float64Array, around: Surroundings): [number, number] {
  const sites = findSites(source, around.index);
  if (sites) {
    const [site1, site2] = sites;
    data.set(around.site.position.subarray(3 * site1, 3 * site1 + 3), 0);
    data.set(around.site.position.subarray(3 * site2, 3 * site2 + 3), 3);
    return [around.site.body[site1], around.site.body[site2]];
  }
  // the anchor is given on the first body; it is where it is in the world, too
  const [body1, body2] = findBodies(source, around.index);
  if (source.anchor) data.set(source.anchor, 0);
  movePoint(data, 3, around.poses, body1, body2, data, 0);
  return [body1, body2];
}

function writeWeld(source: WeldEquality, data: Float64Array, around: Surroundings): [number, number] {
  const { poses, site } = around;
  data[10] = source.torqueScale ?? 1;
  const sites = findSites(source, around.index);
  if (sites) {
    const [site1, site2] = sites;
    data.set(site.position.subarray(3 * site2, 3 * site2 + 3), 0);
    data.set(site.position.subarray(3 * site1, 3 * site1 + 3), 3);
    // both site frames agree: R₁ S₁ = R₂ S₂, so R₁ᵀ R₂ = S₁ S₂ᵀ
    for (let k = 0; k < 4; k++) scratch[k] = (k === 0 ? 1 : -1) * site.orientation[4 * site2 + k];
    multiplyQuaternions(data, 6, site.orientation, 4 * site1, scratch, 0);
    return [site.body[site1], site.body[site2]];
  }
  // the anchor is given on the second body; where it is seen from the first follows from the relative pose
  const [body1, body2] = findBodies(source, around.index);
  if (source.anchor) data.set(source.anchor, 0);
  if (source.relativePose) {
    writeQuaternion(source.relativePose.orientation, data, 6);
    rotateByQuaternion(data, 3, data, 6, data, 0);
    for (let k = 0; k < 3; k++) data[3 + k] += source.relativePose.position[k];
  } else {
    movePoint(data, 3, poses, body2, body1, data, 0);
    relativeQuaternion(data, 6, poses.orientation, 4 * body1, poses.orientation, 4 * body2);
    normalizeQuaternion(data, 6, data, 6);
  }
  return [body1, body2];
}

function writeDistance(
  source: DistanceEquality,
  data: Float64Array,
  around: Surroundings,
  path: string,
): [number, number] {
  const [body1, body2] = findBodies(source, around.index);
  if (source.point1) data.set(source.point1, 0);
  if (source.point2) data.set(source.point2, 3);
  if (source.distance !== undefined) {
    data[6] = source.distance;
  } else {
    transformPoint(scratch, 0, around.poses, body1, data, 0);
    transformPoint(scratch, 3, around.poses, body2, data, 3);
    const x = scratch[3] - scratch[0];
    const y = scratch[4] - scratch[1];
    const z = scratch[5] - scratch[2];
    data[6] = Math.sqrt(x * x + y * y + z * z);
  }
  if (!(data[6] > 0)) {
    throw new NexdynError(
      'invalid-value',
      `equality${quoteName(source.name)} holds two points at distance ${data[6]}`,
      {
        path: source.distance === undefined ? path : `${path}.distance`,
        hint: 'a rod has a length above zero; points that coincide are a connect equality',
      },
    );
  }
  return [body1, body2];
}

function writePolynomial(
  source: JointEquality | TendonEquality,
  data: Float64Array,
  index: SceneIndex,
): [number, number] {
  data.set(source.coefficients ?? [0, 1, 0, 0, 0], 0);
  if (source.kind === 'tendon') {
    const { tendon1, tendon2 } = source;
    return [index.number.tendon(tendon1), tendon2 === undefined ? -1 : index.number.tendon(tendon2)];
  }
  const { joint1, joint2 } = source;
  return [index.number.joint(joint1), joint2 === undefined ? -1 : index.number.joint(joint2)];
}

function findSites(source: ConnectEquality | WeldEquality, index: SceneIndex): [number, number] | undefined {
  const { site1, site2 } = source;
  if (site1 === undefined || site2 === undefined) return undefined;
  return [index.number.site(site1), index.number.site(site2)];
}

// without a name: the world
function findBodies(source: { body1?: string; body2?: string }, index: SceneIndex): [number, number] {
  return [index.number.body(source.body1 ?? 'world'), index.number.body(source.body2 ?? 'world')];
}

// the same point of space in the frame of another body
function movePoint(
  out: Float64Array,
  o: number,
  poses: Poses,
  from: number,
  to: number,
  point: Float64Array,
  i: number,
): void {
  transformPoint(scratch, 0, poses, from, point, i);
  untransformPoint(out, o, poses, to, scratch, 0);
}

const scratch = /* @__PURE__ */ new Float64Array(6);
