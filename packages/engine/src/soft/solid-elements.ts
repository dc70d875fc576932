/** The family of elements of a solid, by the name that the scene gives it. */
import type { TetrahedralMesh } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Elasticity, SolidElement } from '../scene/soft-body.ts';
import type { ElementFamily } from './element-family.ts';
import { type ElementPoints, PointElements, type ReadoutPoints } from './element-points.ts';
import { FiberElements } from './fiber-elements.ts';
import { createLinearPoints } from './linear-points.ts';
import { LinearTetrahedra } from './linear-tetrahedra.ts';
import { createMaterial, ELASTIC_LAW, type Material, splitMaterial } from './material.ts';
import { createQuadraticPoints } from './quadratic-tetrahedra.ts';
import { createRestShape, type RestShape } from './rest-shape.ts';
import { createSmoothedPoints } from './smoothed-tetrahedra.ts';

/** Tetrahedra, and for 10-node elements what `addMiddleVertices` of geometry/tetrahedra/quadratic-mesh.ts gives. */
export interface SolidShape extends TetrahedralMesh {
  /** Default: 'tet4'. */
  readonly element?: SolidElement;
  /** Ten vertices per element; for 10-node elements only. */
  readonly nodes?: Int32Array;
  /** Unit vector, world. */
  readonly fiberDirection?: ArrayLike<number>;
}

/**
 * λ/μ up to which 10-node elements take the change of volume point by point, that of ν = 1/4. What is beyond acts on the mean of an element: all
 * at points locks as ν nears 1/2, none makes elements too soft (a beam of 400 elements sags 2 % too much).
 */
const LARGEST_POINTWISE = 1;

/** Families of a solid, and its points, where something besides elasticity needs them. */
export interface SolidElements {
  readonly families: readonly ElementFamily[];
  readonly points: ElementPoints | undefined;
}

/** `linear` are the linear tetrahedra of the shape. */
export function createSolidElements(
  shape: SolidShape,
  linear: RestShape,
  elasticity: Elasticity,
  density: number,
  memory: Memory,
  path: string,
): SolidElements {
  const material = createMaterial(elasticity, `${path}.elasticity`);
  const isLinear = material.law === ELASTIC_LAW.linear;
  const stiffness = elasticity.fibers?.youngsModulus ?? 0;
  const fibers = stiffness > 0 ? { direction: shape.fiberDirection ?? [1, 0, 0], stiffness } : undefined;
  const needsPoints = fibers !== undefined || (elasticity.viscosity ?? 0) > 0;
  let family: ElementFamily;
  let points: ElementPoints | undefined;
  if ((shape.element ?? 'tet4') === 'tet4') {
    family = new LinearTetrahedra(linear, material, density, memory, fibers);
    points = needsPoints ? createLinearPoints(linear, memory) : undefined;
  } else {
    const created = createPointElements(shape, linear, material, density, memory, path);
    points = created.points;
    // what flows changes its shape gradients; fibers and viscosity keep theirs
    const own = elasticity.plasticity ? { ...points, shape: copyShape(points.shape, memory) } : points;
    family = new PointElements(own, created.laws, material, created.readout, memory, fibers);
  }
  const families = fibers && points ? [family, new FiberElements(points, fibers, isLinear, memory)] : [family];
  return { families, points };
}

function copyShape(shape: Float64Array, memory: Memory): Float64Array {
  const out = memory.f64(shape.length);
  out.set(shape);
  return out;
}

function createPointElements(
  { vertices, element, nodes }: SolidShape,
  linear: RestShape,
  material: Material,
  density: number,
  memory: Memory,
  path: string,
): { points: ElementPoints; readout: ReadoutPoints; laws: Material[] } {
  if (element === 'smoothedTet4') {
    const { shear, volume } = splitMaterial(material, 0);
    return { ...createSmoothedPoints(linear, density, memory), laws: [shear, volume] };
  }
  if (nodes === undefined) throw new RangeError('10-node elements have vertices in the middle of their edges');
  const tetrahedra = new Int32Array((4 * nodes.length) / 10);
  for (let i = 0; i < tetrahedra.length; i++) tetrahedra[i] = nodes[10 * Math.floor(i / 4) + (i % 4)];
  const corners = createRestShape({ vertices, tetrahedra }, memory, path);
  const ten = memory.i32(nodes.length);
  ten.set(nodes);
  const { shear, volume } = splitMaterial(material, LARGEST_POINTWISE);
  const isSplit = volume.lambda > 0;
  return {
    ...createQuadraticPoints(corners, ten, density, vertices.length / 3, isSplit, memory),
    laws: [shear, volume],
  };
}
