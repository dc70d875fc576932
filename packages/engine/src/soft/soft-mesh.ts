/**
 * A soft body prepared for computation: its elastic elements by family (element-family.ts), lumped masses and the pattern of its
 * matrices. Solids also have the tetrahedra that must keep their volume; shells and rods have none.
 */
import { NexdynError } from '../error.ts';
import { type BlockSparseMatrix, createBlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { DEFAULT_DENSITY } from '../model/constraint-defaults.ts';
import type { Elasticity } from '../scene/soft-body.ts';
import type { ElementFamily } from './element-family.ts';
import { createMaterial } from './material.ts';
import { createRestShape } from './rest-shape.ts';
import { createSolidElements, type SolidShape } from './solid-elements.ts';
import { Viscosity } from './viscosity.ts';

export interface SoftMesh {
  readonly vertexCount: number;
  /** Vertices that are points of space; those behind them are angles of rods (rod-elements.ts), which have no weight or momentum. */
  readonly pointCount: number;
  /** Rest positions, m. */
  readonly rest: Float64Array;
  readonly families: readonly ElementFamily[];
  /** Whether the elastic energy is quadratic: the stiffness is the same at all positions. */
  readonly isQuadratic: boolean;
  /** Rayleigh damping: of the mass, 1/s, and of the stiffness, s. */
  massDamping: number;
  stiffnessDamping: number;
  /** Kelvin-Voigt viscosity, where the body has it. */
  readonly viscosity: Viscosity | undefined;
  /** Per vertex, kg. */
  readonly mass: Float64Array;
  /** Per vertex: area over which a contact at it acts, m². */
  readonly area: Float64Array;
  /** Tetrahedra that must not invert, with their volumes at rest, m³; without any where the body is no solid. */
  readonly tetrahedronCount: number;
  readonly tetrahedra: Int32Array;
  readonly volume: Float64Array;
  /** λ + 2μ of the constants of the law, times the weight of elasticity, Pa; 0 without tetrahedra. */
  compressionModulus: number;
  /** A zero matrix over the vertices with the pattern of the stiffness; others are made as its twins. */
  readonly pattern: BlockSparseMatrix;
}

/** What a mesh is made of: families and what belongs to no family. */
export interface SoftMeshParts {
  readonly rest: Float64Array;
  readonly families: readonly ElementFamily[];
  readonly massDamping: number;
  readonly stiffnessDamping: number;
  readonly tetrahedra: Int32Array;
  readonly volume: Float64Array;
  readonly compressionModulus: number;
  /** Vertices that are points; all where it is not given. */
  readonly pointCount?: number;
  /** Mass of every point where it does not follow from the elements, kg. */
  readonly vertexMass?: number | undefined;
  /** Area over which a contact at a vertex of this mass acts, m². */
  readonly areaOf: (mass: number, vertex: number) => number;
}

/** A solid. `path` is where the soft body is in the scene. */
export function createSoftMesh(
  shape: SolidShape,
  elasticity: Elasticity,
  memory: Memory,
  path: string = 'softBody',
): SoftMesh {
  const material = createMaterial(elasticity, `${path}.elasticity`);
  const density = requireAtLeast(elasticity.density ?? DEFAULT_DENSITY, 'density', path);
  if (density === 0) throw negativeValue('density', 0, path);
  const massDamping = requireAtLeast(elasticity.massDamping ?? 0, 'massDamping', path);
  const stiffnessDamping = requireAtLeast(elasticity.stiffnessDamping ?? 0, 'stiffnessDamping', path);
  const linear = createRestShape(shape, memory, path);
  const viscosity = requireAtLeast(elasticity.viscosity ?? 0, 'viscosity', path);
  const { families, points } = createSolidElements(shape, linear, elasticity, density, memory, path);
  const mesh = joinFamilies(
    {
      rest: linear.rest,
      families,
      massDamping,
      stiffnessDamping,
      tetrahedra: linear.tetrahedra,
      volume: linear.volume,
      compressionModulus: material.lambda + 2 * material.mu,
      vertexMass: elasticity.vertexMass,
      // the square of the edge of a cube of its volume
      areaOf: (mass) => Math.cbrt(mass / density) ** 2,
    },
    memory,
    path,
  );
  if (viscosity === 0 || points === undefined) return mesh;
  return { ...mesh, viscosity: new Viscosity(points, viscosity, mesh.isQuadratic, mesh.pattern, memory) };
}

/** Adds up the masses and patterns of families. */
export function joinFamilies(parts: SoftMeshParts, memory: Memory, path: string): SoftMesh {
  const { families, rest, tetrahedra, areaOf } = parts;
  const vertexCount = rest.length / 3;
  const mass = memory.f64(vertexCount);
  for (const family of families) family.addMass(mass);
  for (let i = 0; i < vertexCount; i++) {
    if (mass[i] > 0) continue;
    const element = tetrahedra.length > 0 ? 'tetrahedron' : 'element';
    throw new NexdynError('invalid-mesh', `Vertex ${i} belongs to no ${element} and has no mass`, {
      path: `${path}.mesh`,
      hint: `Leave out vertices that no ${element} uses.`,
    });
  }
  const area = memory.f64(vertexCount);
  for (let i = 0; i < vertexCount; i++) area[i] = areaOf(mass[i], i);
  if (parts.vertexMass !== undefined) mass.fill(parts.vertexMass, 0, parts.pointCount ?? vertexCount);

  const pairs = families.map((family) => family.listPairs());
  const pairCount = pairs.reduce((sum, list) => sum + list.first.length, 0);
  const first = new Int32Array(pairCount);
  const second = new Int32Array(pairCount);
  let end = 0;
  const ends = pairs.map((list) => {
    first.set(list.first, end);
    second.set(list.second, end);
    end += list.first.length;
    return end;
  });
  const { matrix, place } = createBlockSparseMatrix(vertexCount, first, second, memory);
  families.forEach((family, n) => {
    family.takePlaces(place.subarray(ends[n] - pairs[n].first.length, ends[n]));
  });
  return {
    vertexCount,
    pointCount: parts.pointCount ?? vertexCount,
    rest,
    families,
    isQuadratic: families.every(({ isQuadratic }) => isQuadratic),
    massDamping: parts.massDamping,
    stiffnessDamping: parts.stiffnessDamping,
    viscosity: undefined,
    mass,
    area,
    tetrahedronCount: tetrahedra.length / 4,
    tetrahedra,
    volume: parts.volume,
    compressionModulus: parts.compressionModulus,
    pattern: matrix,
  };
}

/** Takes densities, moduli and damping from a body of the same mesh and law. */
export function takeConstants(mesh: SoftMesh, other: SoftMesh): void {
  mesh.families.forEach((family, n) => {
    family.takeConstants(other.families[n]);
  });
  mesh.massDamping = other.massDamping;
  mesh.stiffnessDamping = other.stiffnessDamping;
  mesh.compressionModulus = other.compressionModulus;
  if (other.viscosity) mesh.viscosity?.takeConstants(other.viscosity);
  mesh.mass.set(other.mass);
  mesh.area.set(other.area);
}

function requireAtLeast(value: number, name: string, path: string): number {
  if (value >= 0 && value < Infinity) return value;
  throw negativeValue(name, value, path);
}

function negativeValue(name: string, value: number, path: string): NexdynError {
  return new NexdynError('invalid-value', `${name} is ${value}`, {
    path: `${path}.elasticity.${name}`,
    hint: name === 'density' ? 'Give a positive number, kg/m³.' : 'Give zero or a positive number.',
  });
}
