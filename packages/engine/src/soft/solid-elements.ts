/** The family of elements of a solid, by the name that the scene gives it. */
import type { TetrahedralMesh } from '../geometry/tetrahedra/tetrahedral-mesh.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { SolidElement } from '../scene/soft-body.ts';
import type { ElementFamily } from './element-family.ts';
import { PointElements } from './element-points.ts';
import { LinearTetrahedra } from './linear-tetrahedra.ts';
import { type Material, splitMaterial } from './material.ts';
import { createQuadraticPoints } from './quadratic-tetrahedra.ts';
import { createRestShape, type RestShape } from './rest-shape.ts';
import { createSmoothedPoints } from './smoothed-tetrahedra.ts';

/** Tetrahedra, and for 10-node elements what `addMiddleVertices` of geometry/tetrahedra/quadratic-mesh.ts gives. */
export interface SolidShape extends TetrahedralMesh {
  /** Default: 'tet4'. */
  readonly element?: SolidElement;
  /** Ten vertices per element; for 10-node elements only. */
  readonly nodes?: Int32Array;
}

/**
 * λ/μ up to which 10-node elements take the change of volume point by point, that of ν = 1/4. What is beyond acts on the mean of an element: all
 * at points locks as ν nears 1/2, none makes elements too soft (a beam of 400 elements sags 2 % too much).
 */
const LARGEST_POINTWISE = 1;

/** `linear` are the linear tetrahedra of the shape. */
export function createSolidElements(
  { vertices, element = 'tet4', nodes }: SolidShape,
  linear: RestShape,
  material: Material,
  density: number,
  memory: Memory,
  path: string,
): ElementFamily {
  if (element === 'tet4') return new LinearTetrahedra(linear, material, density, memory);
  if (element === 'smoothedTet4') {
    const { shear, volume } = splitMaterial(material, 0);
    const { points, readout } = createSmoothedPoints(linear, density, memory);
    return new PointElements(points, [shear, volume], material, readout, memory);
  }
  if (nodes === undefined) throw new RangeError('10-node elements have vertices in the middle of their edges');
  const tetrahedra = new Int32Array((4 * nodes.length) / 10);
  for (let i = 0; i < tetrahedra.length; i++) tetrahedra[i] = nodes[10 * Math.floor(i / 4) + (i % 4)];
  const corners = createRestShape({ vertices, tetrahedra }, memory, path);
  const ten = memory.i32(nodes.length);
  ten.set(nodes);
  const { shear, volume } = splitMaterial(material, LARGEST_POINTWISE);
  const { points, readout } = createQuadraticPoints(
    corners,
    ten,
    density,
    vertices.length / 3,
    volume.lambda > 0,
    memory,
  );
  return new PointElements(points, [shear, volume], material, readout, memory);
}
