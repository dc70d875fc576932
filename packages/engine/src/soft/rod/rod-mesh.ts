/**
 * A rod prepared for computation: edges along a polyline, their directors at rest and the curvature and twist of the rest shape. Constants of
 * a round section of radius r: E A = E π r², E I = E π r⁴/4, G J = G π r⁴/2 with G = E/(2(1 + ν)); each may be given instead.
 * Directors at rest go from edge to edge without twist. Round a closed rod they come back turned: the rest twist of its last point.
 */
import { measureEdge } from '../../geometry/rods/rod-directors.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { DEFAULT_DENSITY } from '../../model/constraint-defaults.ts';
import type { Elasticity } from '../../scene/soft-body.ts';
import { computeLame } from '../lame.ts';
import { joinFamilies, type SoftMesh } from '../soft-mesh.ts';
import { createRodVertex, measureTwist } from './rod-bend.ts';
import { RodElements, type RodShape } from './rod-elements.ts';

/** Points with the numbers of the edges' ends; angles of the edges follow the points in `vertices`. */
export interface RodLine {
  readonly vertices: Float64Array;
  readonly edges: Int32Array;
}

/** `directors` are those of the state, which are at rest now. `path` is where the soft body is in the scene. */
export function createRodMesh(
  { vertices, edges }: RodLine,
  radius: number,
  elasticity: Elasticity,
  rest: Float64Array,
  directors: Float64Array,
  memory: Memory,
  path: string,
): SoftMesh {
  const { youngsModulus, poissonRatio } = elasticity;
  const { mu } = computeLame(youngsModulus, poissonRatio, `${path}.elasticity`);
  const area = Math.PI * radius * radius;
  const density = elasticity.density ?? DEFAULT_DENSITY;
  const count = edges.length / 2;
  const pointCount = vertices.length / 3 - count;
  const length = memory.f64(count);
  const tangents = new Float64Array(3 * count);
  for (let e = 0; e < count; e++) length[e] = measureEdge(tangents, 3 * e, vertices, edges, e);
  const joint = listJoints(edges);
  const joints = joint.length / 2;
  const jointLength = memory.f64(joints);
  const restCurvature = memory.f64(4 * joints);
  const restSquare = memory.f64(joints);
  const restTwist = memory.f64(joints);
  const vertex = createRodVertex();
  for (let i = 0; i < joints; i++) {
    const ends = [joint[2 * i], joint[2 * i + 1]];
    jointLength[i] = 0.5 * (length[ends[0]] + length[ends[1]]);
    ends.forEach((e, j) => {
      vertex.t.set(tangents.subarray(3 * e, 3 * e + 3), 3 * j);
      vertex.u.set(rest.subarray(3 * e, 3 * e + 3), 3 * j);
    });
    restTwist[i] = measureTwist(vertex);
    const { t, u } = vertex;
    const scale = 2 / (1 + t[0] * t[3] + t[1] * t[4] + t[2] * t[5]);
    const binormal = cross(t, 0, t, 3).map((value) => scale * value);
    restSquare[i] = binormal.reduce((sum, value) => sum + value * value, 0);
    // shorter than the rounding of the points: straight
    if (restSquare[i] < 1e-24) restSquare[i] = 0;
    for (let j = 0; j < 2; j++) {
      const second = cross(t, 3 * j, u, 3 * j);
      for (let c = 0; c < 3; c++) {
        restCurvature[4 * i + 2 * j] += binormal[c] * u[3 * j + c];
        restCurvature[4 * i + 2 * j + 1] += binormal[c] * second[c];
      }
    }
  }
  const shape: RodShape = {
    pointCount,
    edge: edges,
    length,
    joint,
    restCurvature,
    restSquare,
    restTwist,
    jointLength,
    radius,
    stretchStiffness: elasticity.stretchStiffness ?? youngsModulus * area,
    bendingStiffness: elasticity.bendingStiffness ?? 0.25 * youngsModulus * area * radius * radius,
    twistStiffness: elasticity.twistStiffness ?? 0.5 * mu * area * radius * radius,
    lineDensity: density * area,
  };
  const own = memory.f64(vertices.length);
  own.set(vertices);
  const family = new RodElements(shape, directors, memory);
  family.takeStart(own);
  return joinFamilies(
    {
      rest: own,
      families: [family],
      massDamping: elasticity.massDamping ?? 0,
      stiffnessDamping: elasticity.stiffnessDamping ?? 0,
      tetrahedra: new Int32Array(0),
      volume: new Float64Array(0),
      compressionModulus: 0,
      vertexMass: elasticity.vertexMass,
      pointCount,
      areaOf: (mass) => (2 * radius * mass) / (density * area),
    },
    memory,
    path,
  );
}

// inner points: where one edge ends and another starts
function listJoints(edges: Int32Array): Int32Array {
  const startsAt = new Map<number, number>();
  for (let e = 0; 2 * e < edges.length; e++) startsAt.set(edges[2 * e], e);
  const joint: number[] = [];
  for (let e = 0; 2 * e < edges.length; e++) {
    const next = startsAt.get(edges[2 * e + 1]);
    if (next !== undefined) joint.push(e, next);
  }
  return Int32Array.from(joint);
}

function cross(a: Float64Array, p: number, b: Float64Array, q: number): number[] {
  return [
    a[p + 1] * b[q + 2] - a[p + 2] * b[q + 1],
    a[p + 2] * b[q] - a[p] * b[q + 2],
    a[p] * b[q + 1] - a[p + 1] * b[q],
  ];
}
