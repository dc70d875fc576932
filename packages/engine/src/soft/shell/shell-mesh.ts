/**
 * A shell prepared for computation: triangles at rest in axes of their own, the first along the warp, lumped masses ρ t A/3, hinges and
 * the plate stiffness of every triangle over its three angles,
 *   Qᵢⱼ = D lᵢ lⱼ/(4A) ((1 − ν)(nᵢ·nⱼ)² + ν),   D = E t³/(12(1 − ν²))
 * of which edges at the border are eliminated, as they carry no moment: Q ← Q − q qᵀ/Q_kk. D and E t may be given instead of E.
 */
import { NexdynError } from '../../error.ts';
import { findHinges } from '../../geometry/shells/shell-topology.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { DEFAULT_DENSITY } from '../../model/constraint-defaults.ts';
import type { Elasticity } from '../../scene/soft-body.ts';
import { computeLame } from '../lame.ts';
import { joinFamilies, type SoftMesh } from '../soft-mesh.ts';
import { findEdgeTurns } from './edge-turn.ts';
import { measureHinge } from './hinge-angle.ts';
import { MEMBRANE_LAW, type MembraneLaw } from './membrane-law.ts';
import { ShellTriangles } from './shell-triangles.ts';

/** A surface of triangles. */
export interface ShellSurface {
  readonly vertices: Float64Array;
  readonly triangles: Int32Array;
}

/** `warp` is the direction of the first axis, world; `path` where the soft body is in the scene. */
export function createShellMesh(
  mesh: ShellSurface,
  thickness: number,
  warp: ArrayLike<number>,
  elasticity: Elasticity,
  memory: Memory,
  path: string,
): SoftMesh {
  const { mu } = computeLame(elasticity.youngsModulus, elasticity.poissonRatio, `${path}.elasticity`);
  const law = createMembraneLaw(elasticity, thickness, mu);
  const vertexCount = mesh.vertices.length / 3;
  const count = mesh.triangles.length / 3;
  const rest = memory.f64(3 * vertexCount);
  rest.set(mesh.vertices);
  const triangles = memory.i32(3 * count);
  triangles.set(mesh.triangles);
  const topology = findHinges(triangles, vertexCount, `${path}.mesh`);
  const inverseRest = memory.f64(4 * count);
  const area = memory.f64(count);
  const plate = memory.f64(6 * count);
  const stencil = memory.i32(6 * count);
  const ratio = elasticity.poissonRatio;
  const stiffness = chooseBendingStiffness(elasticity, thickness);
  for (let t = 0; t < count; t++) {
    area[t] = invertRestTriangle(inverseRest, 4 * t, rest, triangles, 3 * t, warp, path);
    writePlate(plate, 6 * t, inverseRest, 4 * t, area[t], stiffness, ratio);
    for (let k = 0; k < 3; k++) {
      stencil[6 * t + k] = triangles[3 * t + k];
      stencil[6 * t + 3 + k] = topology.beyond[3 * t + k];
      if (topology.hingeOf[3 * t + k] < 0) eliminate(plate, 6 * t, k);
    }
    turnSides(plate, 6 * t, topology.side, 3 * t);
  }
  const hinges = topology.hinge.length / 4;
  const restAngle = memory.f64(hinges);
  for (let e = 0; e < hinges; e++) restAngle[e] = measureHinge(rest, topology.hinge, 4 * e);
  const density = elasticity.density ?? DEFAULT_DENSITY;
  const shape = {
    triangles,
    inverseRest,
    area,
    hinge: topology.hinge,
    restAngle,
    hingeOf: topology.hingeOf,
    side: topology.side,
    part: topology.part,
    turns: findEdgeTurns(triangles, topology, rest),
    stencil,
    plate,
    law,
    arealDensity: density * thickness,
    thickness,
  };
  return joinFamilies(
    {
      rest,
      families: [new ShellTriangles(shape, memory)],
      massDamping: elasticity.massDamping ?? 0,
      stiffnessDamping: elasticity.stiffnessDamping ?? 0,
      tetrahedra: new Int32Array(0),
      volume: new Float64Array(0),
      compressionModulus: 0,
      vertexMass: elasticity.vertexMass,
      areaOf: (mass) => mass / (density * thickness),
    },
    memory,
    path,
  );
}

function createMembraneLaw(elasticity: Elasticity, thickness: number, mu: number): MembraneLaw {
  const { youngsModulus, poissonRatio, orthotropic, strainLimit, stretchStiffness } = elasticity;
  const limit = strainLimit === undefined ? Infinity : strainLimit + 0.5 * strainLimit * strainLimit;
  if (orthotropic) {
    const [warp, weft] = orthotropic.youngsModulus;
    const across = orthotropic.poissonRatio ?? poissonRatio;
    const share = thickness / (1 - (across * across * weft) / warp);
    return {
      kind: MEMBRANE_LAW.orthotropic,
      q11: share * warp,
      q22: share * weft,
      q12: share * across * weft,
      shear: thickness * (orthotropic.shearModulus ?? mu),
      limit,
    };
  }
  const size = stretchStiffness === undefined ? thickness : stretchStiffness / youngsModulus;
  const whole = (size * youngsModulus) / (1 - poissonRatio * poissonRatio);
  return {
    kind: elasticity.model === 'neoHookean' ? MEMBRANE_LAW.neoHookean : MEMBRANE_LAW.saintVenantKirchhoff,
    q11: whole,
    q22: whole,
    q12: poissonRatio * whole,
    shear: size * mu,
    limit,
  };
}

/** D, N m. */
export function chooseBendingStiffness(elasticity: Elasticity, thickness: number): number {
  const { bendingStiffness, youngsModulus, poissonRatio } = elasticity;
  return bendingStiffness ?? (youngsModulus * thickness ** 3) / (12 * (1 - poissonRatio * poissonRatio));
}

/** Writes B of a triangle; gives its area. */
function invertRestTriangle(
  out: Float64Array,
  o: number,
  x: Float64Array,
  triangles: Int32Array,
  t: number,
  warp: ArrayLike<number>,
  path: string,
): number {
  const p = 3 * triangles[t];
  const a = 3 * triangles[t + 1];
  const b = 3 * triangles[t + 2];
  const u = [x[a] - x[p], x[a + 1] - x[p + 1], x[a + 2] - x[p + 2]];
  const v = [x[b] - x[p], x[b + 1] - x[p + 1], x[b + 2] - x[p + 2]];
  const n = cross(u, v);
  const double = Math.hypot(n[0], n[1], n[2]);
  const longest = Math.max(dot(u, u), dot(v, v));
  if (!(double > 1e-12 * longest)) {
    throw new NexdynError('invalid-mesh', `triangle ${t / 3} has no area`, {
      path: `${path}.mesh`,
      hint: 'its corners lie on one line or coincide: leave it out, or mesh the surface anew',
    });
  }
  const normal = n.map((value) => value / double);
  // where the warp stands on the triangle, the first edge takes its place
  const lift = normal[0] * warp[0] + normal[1] * warp[1] + normal[2] * warp[2];
  let first = [warp[0] - lift * normal[0], warp[1] - lift * normal[1], warp[2] - lift * normal[2]];
  if (!(dot(first, first) > 1e-12)) first = u;
  const size = Math.sqrt(dot(first, first));
  first = first.map((value) => value / size);
  const second = cross(normal, first);
  const [u1, u2, v1, v2] = [dot(u, first), dot(u, second), dot(v, first), dot(v, second)];
  const scale = 1 / (u1 * v2 - u2 * v1);
  // F = [x₁ − x₀, x₂ − x₀] B with B the inverse of the columns (u, v)
  out[o] = scale * v2;
  out[o + 1] = -scale * v1;
  out[o + 2] = -scale * u2;
  out[o + 3] = scale * u1;
  return 0.5 * double;
}

/** Q of a triangle, from its shape gradients: ∇λₖ = −lₖ nₖ/(2A). */
function writePlate(
  plate: Float64Array,
  q: number,
  inverseRest: Float64Array,
  o: number,
  area: number,
  stiffness: number,
  ratio: number,
): void {
  const gx = [-(inverseRest[o] + inverseRest[o + 2]), inverseRest[o], inverseRest[o + 2]];
  const gy = [-(inverseRest[o + 1] + inverseRest[o + 3]), inverseRest[o + 1], inverseRest[o + 3]];
  const pairs = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [1, 2],
  ];
  pairs.forEach(([i, j], k) => {
    const sizes = Math.hypot(gx[i], gy[i]) * Math.hypot(gx[j], gy[j]);
    const cosine = (gx[i] * gx[j] + gy[i] * gy[j]) / sizes;
    plate[q + k] = stiffness * area * sizes * ((1 - ratio) * cosine * cosine + ratio);
  });
}

const PLACE = [0, 3, 4, 3, 1, 5, 4, 5, 2];

// takes out angle k, whose moment is zero
function eliminate(plate: Float64Array, q: number, k: number): void {
  const own = plate[q + k];
  const row = [0, 1, 2].map((j) => plate[q + PLACE[3 * k + j]]);
  for (let i = 0; i < 3; i++)
    for (let j = i; j < 3; j++) plate[q + PLACE[3 * i + j]] -= own > 0 ? (row[i] * row[j]) / own : 0;
  for (let j = 0; j < 3; j++) plate[q + PLACE[3 * k + j]] = 0;
}

function turnSides(plate: Float64Array, q: number, side: Int8Array, t: number): void {
  for (let i = 0; i < 3; i++) for (let j = i + 1; j < 3; j++) plate[q + PLACE[3 * i + j]] *= side[t + i] * side[t + j];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
