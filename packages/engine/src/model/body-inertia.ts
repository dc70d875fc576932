/**
 * Mass and inertia of every body: as given, or the sum of its shapes, in principal axes; then the rules of the scene.
 *
 * A single primitive keeps its own axes; everything else is diagonalised, largest moment first.
 */
import { NexdynError } from '../error.ts';
import {
  createMassProperties,
  type MassProperties,
  moveMassProperties,
  sumMassProperties,
} from '../geometry/mass-properties.ts';
import type { BuiltInShape } from '../geometry/shapes/built-in-shape.ts';
import { findBuiltInShape } from '../geometry/shapes/shape-table.ts';
import { multiplyQuaternions } from '../linear-algebra/quaternion.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import type { Body, Inertia } from '../scene/body.ts';
import type { MassRules } from '../scene/options.ts';
import { isRegisteredShape } from '../scene/registered-shapes.ts';
import type { Shape } from '../scene/shape.ts';
import { writeQuaternion } from './frames.ts';
import { bodyPath, quoteName, type SceneIndex } from './scene-index.ts';
import { type MeshMass, shapeMass } from './shape-mass.ts';

/** Below this a mass (kg) or moment (kg m²) counts as none. */
const LEAST_INERTIA = 1e-15;

/** What shapes are made of whose own axes are not principal axes. */
const SAMPLED: ReadonlySet<BuiltInShape['data']> = new Set<BuiltInShape['data']>(['hull', 'mesh', 'field']);

/** Packed arrays over the bodies. */
export interface BodyInertias {
  readonly mass: Float64Array;
  /** Centre of mass in the body frame, m. */
  readonly center: Float64Array;
  /** Rotation from the principal axes to the body frame. */
  readonly orientation: Float64Array;
  /** Principal moments, kg m². */
  readonly moments: Float64Array;
}

/** Frames of the shapes, from `compileShapes`. */
export interface ShapeFrames {
  readonly position: Float64Array;
  readonly orientation: Float64Array;
}

/** Mass and inertia of every body; the world has none. */
export function computeBodyInertias(index: SceneIndex, frames: ShapeFrames, meshMass: MeshMass): BodyInertias {
  const count = index.bodies.length;
  const inertias: BodyInertias = {
    mass: new Float64Array(count),
    center: new Float64Array(3 * count),
    orientation: new Float64Array(4 * count),
    moments: new Float64Array(3 * count),
  };
  inertias.orientation[0] = 1;
  const rules = index.scene.massRules ?? {};
  for (let b = 1, firstShape = index.bodies[0].shapes?.length ?? 0; b < count; b++) {
    writeBodyInertia(inertias, b, firstShape, index, frames, meshMass);
    firstShape += index.bodies[b].shapes?.length ?? 0;
  }
  if (rules.totalMass !== undefined) scaleTotalMass(inertias, rules.totalMass);
  return inertias;
}

/** Writes mass and inertia of one body, where all numbers are zero; `firstShape` is the number of its first shape. */
export function writeBodyInertia(
  out: BodyInertias,
  b: number,
  firstShape: number,
  index: SceneIndex,
  frames: ShapeFrames,
  meshMass: MeshMass,
): void {
  const { inertia, shapes = [] } = index.bodies[b];
  if (inertia) writeGivenInertia(out, b, inertia);
  else writeShapeInertia(out, b, shapes, firstShape, index, frames, meshMass);
  applyBounds(out, b, index.scene.massRules ?? {}, index);
}

/** Every moving body needs mass and inertia, its own or that of a body welded to it. */
export function checkMovingInertias(index: SceneIndex, inertias: BodyInertias, weld: Int32Array): void {
  const sound = new Uint8Array(index.bodies.length);
  for (let b = 1; b < index.bodies.length; b++) {
    const { mass, moments } = inertias;
    const least = Math.min(mass[b], moments[3 * b], moments[3 * b + 1], moments[3 * b + 2]);
    if (least >= LEAST_INERTIA) sound[weld[b]] = 1;
  }
  for (let b = 1; b < index.bodies.length; b++) {
    if (weld[b] !== b || sound[b] || !index.bodies[b].joints?.length) continue;
    throw new NexdynError('invalid-mass', `moving body${quoteName(index.bodies[b].name)} has no mass or no inertia`, {
      path: bodyPath(index, b),
      hint: 'give it an inertia or a shape with mass',
    });
  }
}

/** What the shapes of a body weigh together where none of them is a mesh, kg. */
export function weighShapes(index: SceneIndex, { shapes = [] }: Body): number {
  const none: MeshMass = () => createMassProperties();
  return shapes.reduce((sum, shape) => sum + shapeMass(index, shape, none).mass, 0);
}

function writeGivenInertia(out: BodyInertias, b: number, inertia: Inertia): void {
  out.mass[b] = inertia.mass;
  if (inertia.center) out.center.set(inertia.center, 3 * b);
  if (inertia.kind === 'principal') {
    out.moments.set(inertia.moments, 3 * b);
    writeQuaternion(inertia.orientation, out.orientation, 4 * b);
    return;
  }
  writePrincipalAxes(out, b, Float64Array.from(inertia.tensor));
}

function writeShapeInertia(
  out: BodyInertias,
  b: number,
  shapes: readonly Shape[],
  first: number,
  index: SceneIndex,
  frames: ShapeFrames,
  meshMass: MeshMass,
): void {
  out.orientation[4 * b] = 1;
  const parts: MassProperties[] = [];
  for (let i = 0; i < shapes.length; i++) {
    const s = first + i;
    const own = shapeMass(index, shapes[i], meshMass);
    if (own.mass === 0) continue;
    const position = frames.position.subarray(3 * s, 3 * s + 3);
    const orientation = frames.orientation.subarray(4 * s, 4 * s + 4);
    if (shapes.length === 1 && 'mesh' in shapes[i]) {
      // a lone mesh: the axes of its own inertia, turned with it
      writePrincipalAxes(out, b, own.tensor);
      out.mass[b] = own.mass;
      out.center.set(moveMassProperties(own, position, orientation).center, 3 * b);
      multiplyQuaternions(out.orientation, 4 * b, orientation, 0, out.orientation, 4 * b);
      return;
    }
    if (shapes.length === 1 && !isRegisteredShape(shapes[i]) && !SAMPLED.has(findBuiltInShape(shapes[i]).data)) {
      // a lone primitive: its frame is principal
      const { center } = moveMassProperties(own, position, orientation);
      out.mass[b] = own.mass;
      out.center.set(center, 3 * b);
      out.orientation.set(orientation, 4 * b);
      out.moments.set(own.tensor.subarray(0, 3), 3 * b);
      return;
    }
    parts.push(moveMassProperties(own, position, orientation));
  }
  const total = parts.length === 0 ? createMassProperties() : sumMassProperties(parts);
  if (total.mass === 0) return;
  out.mass[b] = total.mass;
  out.center.set(total.center, 3 * b);
  writePrincipalAxes(out, b, total.tensor);
}

function writePrincipalAxes(out: BodyInertias, b: number, tensor: Float64Array): void {
  const moments = out.moments.subarray(3 * b, 3 * b + 3);
  diagonalizeSymmetric(tensor, moments, out.orientation.subarray(4 * b, 4 * b + 4));
  // the moment of a rod about itself is zero up to round-off
  if (moments[2] < 0 && moments[2] > -1e-12 * moments[0]) moments[2] = 0;
}

function applyBounds(out: BodyInertias, b: number, rules: MassRules, index: SceneIndex): void {
  const moments = out.moments.subarray(3 * b, 3 * b + 3);
  out.mass[b] = Math.max(out.mass[b], rules.minimumMass ?? out.mass[b]);
  for (let i = 0; i < 3; i++) moments[i] = Math.max(moments[i], rules.minimumInertia ?? moments[i]);

  const [x, y, z] = moments;
  const finite = Number.isFinite(out.mass[b] + x + y + z);
  if (!(finite && out.mass[b] >= 0 && x >= 0 && y >= 0 && z >= 0)) {
    throw new NexdynError(
      'invalid-mass',
      `body${quoteName(index.bodies[b].name)} has a negative or infinite mass or inertia`,
      {
        path: bodyPath(index, b),
        hint: `mass ${out.mass[b]} kg, principal moments ${x} ${y} ${z} kg m²`,
      },
    );
  }
  // no mass distribution has a moment above the sum of the other two; round-off of a flat body is forgiven
  if (x + y + z - 2 * Math.max(x, y, z) >= -1e-9 * (x + y + z)) return;
  if (!rules.balanceInertia) {
    throw new NexdynError(
      'invalid-mass',
      `the inertia of body${quoteName(index.bodies[b].name)} is not that of any mass`,
      {
        path: bodyPath(index, b),
        hint: `of the principal moments ${x} ${y} ${z} none may exceed the sum of the others; massRules.balanceInertia makes them equal`,
      },
    );
  }
  moments.fill((x + y + z) / 3);
}

function scaleTotalMass(out: BodyInertias, totalMass: number): void {
  let sum = 0;
  for (const mass of out.mass) sum += mass;
  const scale = totalMass / Math.max(sum, LEAST_INERTIA);
  for (let i = 0; i < out.mass.length; i++) out.mass[i] *= scale;
  for (let i = 0; i < out.moments.length; i++) out.moments[i] *= scale;
}
