import { NexdynError } from '../../error.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import type {
  Elasticity,
  GivenTetMesh,
  PolylineMesh,
  SoftAttachment,
  SoftBody,
  TriangleShellMesh,
} from '../soft-body.ts';
import { suggestSpelling } from '../spelling.ts';
import { checkIndices, checkMultiple } from './assets.ts';
import { NameTable, type SceneNames } from './names.ts';

/** Checks that soft bodies name things that are there and that their vertex numbers are in range. */
export function checkSoftBodies(scene: Scene, names: SceneNames): void {
  const attachments = new NameTable<SoftAttachment>('attachment', 'attachments');
  scene.softBodies?.forEach((soft, i) => {
    const place = placeBelow(undefined, 'softBodies', i);
    names.materials.require(soft.material, placeBelow(place, 'material'));
    if (soft.mesh.kind === 'surface' || soft.mesh.kind === 'shell')
      names.meshes.require(soft.mesh.mesh, placeBelow(place, 'mesh', 'mesh'));
    if (soft.mesh.kind === 'tetrahedra') checkTetrahedra(soft.mesh, placeBelow(place, 'mesh'));
    if (soft.mesh.kind === 'triangles') checkTriangles(soft.mesh, placeBelow(place, 'mesh'));
    if (soft.mesh.kind === 'polyline') checkPolyline(soft.mesh, placeBelow(place, 'mesh'));
    checkDimension(soft, place);
    checkPlasticity(soft, place);
    checkOrthotropy(soft, place);
    checkVertices(soft, place);
    soft.driven?.forEach((driven, k) => {
      const count = 3 * driven.times.length;
      if (driven.displacements.length === count) return;
      const reason = `must have ${count} numbers (three for each time), but has ${driven.displacements.length}`;
      const path = formatPath(placeBelow(place, 'driven', k, 'displacements'));
      throw new NexdynError('invalid-value', reason, { path, hint: 'give x, y and z for each time' });
    });
    soft.attachments?.forEach((attachment, k) => {
      const at = placeBelow(place, 'attachments', k);
      attachments.add(attachment, attachment.name, at);
      checkAttachment(scene, soft, attachment, names, at);
    });
  });
}

/** An attachment is to a rigid body, to the world or to another soft body. */
function checkAttachment(
  scene: Scene,
  soft: SoftBody,
  { body, clamp, vertices }: SoftAttachment,
  names: SceneNames,
  place: Place,
): void {
  if (vertices.length === 0) {
    const path = formatPath(placeBelow(place, 'vertices'));
    throw new NexdynError('invalid-value', 'an attachment without vertices holds nothing', {
      path,
      hint: 'list the vertices that it holds, or leave it out',
    });
  }
  if (clamp !== undefined && dimensionOf(soft.mesh.kind) !== 1) {
    const path = formatPath(placeBelow(place, 'clamp'));
    const reason = `edges of rods are clamped, and this soft body is a ${BODIES[dimensionOf(soft.mesh.kind)]}`;
    throw new NexdynError('invalid-value', reason, { path, hint: "leave out 'clamp': attach more vertices instead" });
  }
  if (soft.name !== undefined && body === soft.name) {
    const path = formatPath(placeBelow(place, 'body'));
    throw new NexdynError('invalid-value', 'a soft body is not attached to itself', {
      path,
      hint: 'name another body, or give both vertices one place in the mesh',
    });
  }
  if (scene.softBodies?.some(({ name }) => name === body)) return;
  if (names.body.get(body)) return;
  const known = (scene.softBodies ?? []).flatMap(({ name }) => name ?? []);
  throw new NexdynError('unknown-reference', `there is no rigid or soft body '${body}'`, {
    path: formatPath(placeBelow(place, 'body')),
    hint: suggestSpelling(
      body,
      [...names.bodies.flatMap(({ body: { name } }) => name ?? []), ...known, 'world'],
      'bodies',
    ),
  });
}

/** Vertex numbers below the number of vertices, where that is known before the mesh is made. */
function checkVertices(soft: SoftBody, place: Place): void {
  const { mesh } = soft;
  if (mesh.kind !== 'tetrahedra' && mesh.kind !== 'triangles' && mesh.kind !== 'polyline') return;
  const count = (mesh.kind === 'polyline' ? mesh.points : mesh.vertices).length / 3;
  checkIndices(soft.pinned ?? [], count, 'invalid-value', placeBelow(place, 'pinned'));
  for (const key of ['driven', 'attachments', 'springs'] as const) {
    soft[key]?.forEach((group, k) => {
      checkIndices(group.vertices, count, 'invalid-value', placeBelow(place, key, k, 'vertices'));
    });
  }
}

/** What a solid's plasticity needs. */
function checkPlasticity({ elasticity }: SoftBody, place: Place): void {
  if (elasticity.plasticity === undefined) return;
  const { model = 'corotated' } = elasticity;
  if (model === 'corotated' || model === 'neoHookean') return;
  throw new NexdynError('invalid-value', `the ${model} law does not flow`, {
    path: formatPath(placeBelow(place, 'elasticity', 'plasticity')),
    hint: "choose 'corotated' or 'neoHookean'",
  });
}

/** The energy of woven cloth has a minimum at rest: ν² E₂ < E₁, E₁ and E₂ along warp and weft. */
function checkOrthotropy({ elasticity }: SoftBody, place: Place): void {
  const { orthotropic } = elasticity;
  if (!orthotropic) return;
  const [warp, weft] = orthotropic.youngsModulus;
  const ratio = orthotropic.poissonRatio ?? elasticity.poissonRatio;
  if (ratio * ratio * weft < warp) return;
  const least = Math.sqrt(warp / weft).toPrecision(3);
  throw new NexdynError('invalid-value', `must be below √(E warp / E weft) = ${least}, but is ${ratio}`, {
    path: formatPath(placeBelow(place, 'elasticity', 'orthotropic', 'poissonRatio')),
    hint: 'with more, stretched cloth would gain energy; swap warp and weft, or give a smaller ratio',
  });
}

/** Fields that only bodies of some dimension have. */
function checkDimension(soft: SoftBody, place: Place): void {
  const dimension = dimensionOf(soft.mesh.kind);
  const body = BODIES[dimension];
  const at = placeBelow(place, 'elasticity');
  for (const [field, dimensions] of Object.entries(FIELD_DIMENSIONS) as [keyof Elasticity, number[]][]) {
    if (soft.elasticity[field] === undefined || dimensions.includes(dimension)) continue;
    const owners = dimensions.map((d) => `${BODIES[d]}s`).join(' and ');
    throw new NexdynError('invalid-value', `'${field}' is a constant of ${owners}, and this soft body is a ${body}`, {
      path: formatPath(placeBelow(at, field)),
      hint: 'remove it, or give the body a mesh of another kind',
    });
  }
  soft.driven?.forEach(({ twist, times }, k) => {
    if (twist === undefined || (dimension === 1 && twist.length === times.length)) return;
    const reason =
      dimension === 1 ? `must have ${times.length} numbers, but has ${twist.length}` : `a ${body} has no twist`;
    const path = formatPath(placeBelow(place, 'driven', k, 'twist'));
    throw new NexdynError('invalid-value', reason, { path, hint: 'give one angle for each time, for rods' });
  });
  if (dimension === 3) return;
  if (soft.element !== undefined) {
    throw new NexdynError('invalid-value', `elements are those of solids, and this soft body is a ${body}`, {
      path: formatPath(placeBelow(place, 'element')),
      hint: "remove 'element'",
    });
  }
  if (soft.contact === 'hydroelastic') {
    throw new NexdynError('invalid-value', `a ${body} has no inside and so no pressure field`, {
      path: formatPath(placeBelow(place, 'contact')),
      hint: `leave 'contact' out: ${body}s touch at points and edges, with their thickness`,
    });
  }
  const { model } = soft.elasticity;
  const laws: readonly (string | undefined)[] = dimension === 2 ? SHELL_LAWS : ['linear'];
  if (model !== undefined && !laws.includes(model)) {
    throw new NexdynError('invalid-value', `a ${body} has no ${model} law`, {
      path: formatPath(placeBelow(at, 'model')),
      hint: dimension === 2 ? "choose 'saintVenantKirchhoff', which is its default, or 'neoHookean'" : 'leave it out',
    });
  }
}

function dimensionOf(kind: SoftBody['mesh']['kind']): 1 | 2 | 3 {
  if (kind === 'polyline') return 1;
  return kind === 'triangles' || kind === 'grid' || kind === 'shell' ? 2 : 3;
}

const BODIES = ['', 'rod', 'shell', 'solid'];
const SHELL_LAWS = ['saintVenantKirchhoff', 'neoHookean'];
const FIELD_DIMENSIONS: Partial<Record<keyof Elasticity, number[]>> = {
  orthotropic: [2],
  strainLimit: [2],
  stretchStiffness: [2, 1],
  bendingStiffness: [2, 1],
  twistStiffness: [1],
  viscosity: [3],
  fibers: [3],
  plasticity: [3],
};

/** Of the coordinates of a rod: an edge that rounding could have made. */
const NO_LENGTH = 1e-10;

function checkPolyline({ points, closed }: PolylineMesh, place: Place): void {
  const at = placeBelow(place, 'points');
  checkMultiple(points, 3, at);
  const count = points.length / 3;
  if (closed && count < 3) {
    const path = formatPath(at);
    throw new NexdynError('invalid-mesh', `a closed rod of ${count} points`, {
      path,
      hint: 'give three points or more',
    });
  }
  const size = points.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (let p = 0; p < (closed ? count : count - 1); p++) {
    const q = (p + 1) % count;
    const length = Math.hypot(...[0, 1, 2].map((k) => points[3 * q + k] - points[3 * p + k]));
    if (length > NO_LENGTH * size) continue;
    throw new NexdynError('invalid-mesh', `the edge from point ${p} to point ${q} has no length`, {
      path: formatPath(placeBelow(at, 3 * q)),
      hint: 'leave out one of the two points',
    });
  }
  checkFolds(points, closed === true, at);
}

/** 1 + cos of the angle by which a rod turns at a point, up to which its curvature 2 tan(φ/2) is lost in rounding. */
const FOLDED = 1e-12;

function checkFolds(points: readonly number[], isClosed: boolean, at: Place): void {
  const count = points.length / 3;
  const edgeFrom = (p: number): number[] => {
    const edge = [0, 1, 2].map((k) => points[3 * ((p + 1) % count) + k] - points[3 * (p % count) + k]);
    const length = Math.hypot(...edge);
    return edge.map((value) => value / length);
  };
  for (let p = 0; p < (isClosed ? count : count - 2); p++) {
    const before = edgeFrom(p);
    const after = edgeFrom(p + 1);
    if (1 + before[0] * after[0] + before[1] * after[1] + before[2] * after[2] > FOLDED) continue;
    const q = (p + 1) % count;
    throw new NexdynError('invalid-mesh', `the rod turns back on itself at point ${q}`, {
      path: formatPath(placeBelow(at, 3 * q)),
      hint: 'its curvature has no end there: put a point beside the turn, so that it goes round',
    });
  }
}

function checkTriangles({ vertices, triangles }: TriangleShellMesh, place: Place): void {
  const at = placeBelow(place, 'triangles');
  checkMultiple(vertices, 3, placeBelow(place, 'vertices'));
  checkMultiple(triangles, 3, at);
  checkIndices(triangles, vertices.length / 3, 'invalid-mesh', at);
}

function checkTetrahedra({ vertices, tetrahedra }: GivenTetMesh, place: Place): void {
  const at = placeBelow(place, 'tetrahedra');
  checkMultiple(vertices, 3, placeBelow(place, 'vertices'));
  checkMultiple(tetrahedra, 4, at);
  checkIndices(tetrahedra, vertices.length / 3, 'invalid-mesh', at);
  for (let t = 0; t < tetrahedra.length; t += 4) {
    if (computeVolume(vertices, tetrahedra, t) > 0) continue;
    const reason = `the tetrahedron ${t / 4} has no positive volume`;
    const hint = 'swap two of its vertices, or remove it where it is flat';
    throw new NexdynError('invalid-mesh', reason, { path: formatPath(placeBelow(at, t)), hint });
  }
}

/** Six times the volume of a tetrahedron: (b − a) · ((c − a) × (d − a)). */
function computeVolume(vertices: number[], tetrahedra: number[], t: number): number {
  const edge = (corner: number, axis: number) =>
    vertices[3 * tetrahedra[t + corner] + axis] - vertices[3 * tetrahedra[t] + axis];
  const [bx, by, bz] = [edge(1, 0), edge(1, 1), edge(1, 2)];
  const [cx, cy, cz] = [edge(2, 0), edge(2, 1), edge(2, 2)];
  const [dx, dy, dz] = [edge(3, 0), edge(3, 1), edge(3, 2)];
  return bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
}
