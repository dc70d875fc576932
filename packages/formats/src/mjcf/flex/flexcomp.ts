/** <flexcomp>: points made by a rule or read from a file, each a mass that moves by itself, and what is between them. */
import type { Vec3 } from '@nexdyn/engine';
import { isGmsh, readGmsh } from '../../mesh/gmsh.ts';
import { readMesh } from '../../mesh/mesh.ts';
import type { XmlElement } from '../../xml/xml.ts';
import { readAssetFile } from '../asset.ts';
import {
  locate,
  readBoolean,
  readInteger,
  readKeyword,
  readList,
  readSize,
  readText,
  readVec3,
  requireText,
  type Settings,
  settingsOf,
} from '../attributes.ts';
import { type Scope, setPose } from '../body.ts';
import { readColor } from '../color.ts';
import { fail } from '../failure.ts';
import { composeFrames, readFrame } from '../orientation.ts';
import type { Reading } from '../reading.ts';
import { checkAttributes } from '../schema.ts';
import { measureFlex } from './flex-measure.ts';
import { buildMesh } from './flex-mesh.ts';
import { findPins } from './flex-pins.ts';
import { type FlexLayout, type FlexMesh, makeBlock, makeHull, makeLine, makeSheet } from './flex-points.ts';
import { readEdge, readElasticity, readFlexContact } from './flex-properties.ts';
import type { OpenSoft } from './open-soft.ts';

const TYPES = ['grid', 'box', 'cylinder', 'ellipsoid', 'square', 'disc', 'circle', 'mesh', 'gmsh', 'direct'] as const;
const CHILDREN = new Set(['contact', 'edge', 'elasticity', 'pin', 'plugin']);

/** Reads a flexcomp into the body that it stands in. */
export function readFlexcomp(element: XmlElement, scope: Scope, reading: Reading): void {
  checkAttributes(element);
  for (const child of element.children)
    if (!CHILDREN.has(child.name)) fail('unsupported-element', child, `<flexcomp> has no <${child.name}>`, 'remove it');
  const settings = settingsOf(element);
  const name = requireText(settings, 'name');
  const lost = (attribute: string, message: string): void =>
    reading.unsupported.add(element, { attribute, affects: 'physics', message });
  if (element.children.some((child) => child.name === 'plugin'))
    reading.unsupported.add(element, { affects: 'physics', message: 'plugins of a flex are not supported' });
  const dof = readKeyword(settings, 'dof', ['full', 'radial', 'trilinear', 'quadratic', '2d']) ?? 'full';
  if (dof !== 'full') lost('dof', `every point moves by itself in all directions, not '${dof}'`);
  const mesh = readPoints(settings, reading);
  if (!mesh) return;
  const pins = findPins(element, mesh, readLayout(settings), dof, readText(settings, 'type') ?? 'grid');
  const kept = dropUnused(mesh);
  const pinned = pins.flatMap((p) => kept.get(p) ?? []);
  const count = mesh.points.length / 3;
  if (readBoolean(settings, 'rigid') || pinned.length === count) {
    const message = 'a flex whose points are all pinned is a rigid mesh, which is not supported; it is left out';
    reading.unsupported.add(element, { affects: 'physics', message });
    return;
  }
  const radius = readSize(settings, 'radius') ?? 0.005;
  measureFlex(mesh);
  const built = buildMesh(mesh, radius, element, reading);
  if (!built) return;
  const { order } = built;
  const vertex = (point: number): number => order?.[point] ?? point;
  const elasticity = readElasticity(element, mesh.dim, radius, reading);
  elasticity.vertexMass = (readSize(settings, 'mass') ?? 1) / count;
  const { soft: contact, friction } = readFlexContact(element, reading);
  const color = readColor(settings, reading);
  const open: OpenSoft = {
    name,
    soft: { mesh: built.mesh, elasticity, ...contact, ...(color && { color }) },
    pinned: pinned.map(vertex).sort((a, b) => a - b),
    attachments: [],
    vertexNames: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}_${i}`, [vertex(i)]])),
    edge: readEdge(element, mesh.dim, 'flexcomp edge', reading),
    ...(friction && { friction }),
  };
  setPose(open, composeFrames(scope.frame, readFrame(settings, reading.compiler)));
  reading.origins.set(open, element);
  scope.body.softBodies.push(open);
}

function readLayout(settings: Settings): FlexLayout {
  const count = readVec3(settings, 'count') ?? [10, 10, 10];
  if (count.some((n) => !Number.isInteger(n) || n < 1))
    fail('invalid-value', locate(settings, 'count'), `'count' must be whole and positive`, 'as in count="10 10 1"');
  return { count, spacing: readVec3(settings, 'spacing') ?? [0.02, 0.02, 0.02] };
}

function readPoints(settings: Settings, reading: Reading): FlexMesh | undefined {
  const hasMesh = readText(settings, 'mesh') !== undefined;
  const type = readKeyword(settings, 'type', TYPES) ?? (hasMesh ? 'mesh' : 'grid');
  const dim = (readInteger(settings, 'dim') ?? 2) as 1 | 2 | 3;
  if (![1, 2, 3].includes(dim))
    fail('invalid-value', locate(settings, 'dim'), `'dim' is 1, 2 or 3, got ${dim}`, '2 is a sheet');
  const layout = readLayout(settings);
  const { limits } = reading.access;
  const total = layout.count[0] * layout.count[1] * layout.count[2];
  if (total > limits.copies)
    fail('too-large', locate(settings, 'count'), `${total} points are more than ${limits.copies}`, 'take fewer');
  switch (type) {
    case 'grid':
    case 'circle':
      return checked(
        dim === 1 ? makeLine(layout, type === 'circle') : dim === 2 ? makeSheet(layout, false) : makeBlock(layout),
        settings,
      );
    case 'square':
    case 'disc':
      return checked(makeSheet(layout, type === 'disc'), settings);
    case 'box':
    case 'cylinder':
    case 'ellipsoid':
      if (layout.count.some((n) => n < 2))
        fail('invalid-value', locate(settings, 'count'), `a ${type} needs two points along each axis`, 'take more');
      if (dim === 1)
        fail('invalid-value', locate(settings, 'dim'), `a ${type} of dimension 1 is not supported`, 'take 2 or 3');
      return makeHull(layout, type, dim);
    default: {
      const mesh = type === 'direct' ? readDirect(settings, dim) : readMeshPoints(settings, dim, type, reading);
      if (!mesh) return undefined;
      const scale = readVec3(settings, 'scale') ?? [1, 1, 1];
      return { ...mesh, points: mesh.points.map((value, i) => value * scale[i % 3]!) };
    }
  }
}

function checked(mesh: FlexMesh, settings: Settings): FlexMesh {
  if (mesh.elements.length === 0)
    fail('invalid-value', locate(settings, 'count'), 'so few points make no element', 'take more');
  return mesh;
}

function readDirect(settings: Settings, dim: 1 | 2 | 3): FlexMesh {
  const points = readList(settings, 'point') ?? [];
  const elements = readList(settings, 'element') ?? [];
  if (points.length === 0 || elements.length === 0)
    fail('missing-value', settings.element, "type 'direct' needs 'point' and 'element'", 'write both');
  if (points.length % 3 !== 0)
    fail(
      'invalid-mesh',
      locate(settings, 'point'),
      "'point' needs three numbers per point",
      'write x, y and z of each',
    );
  if (elements.length % (dim + 1) !== 0) {
    const hint = `an element of dimension ${dim} has ${dim + 1} points`;
    fail('invalid-mesh', locate(settings, 'element'), `${elements.length} numbers are no whole elements`, hint);
  }
  const wrong = elements.find((p) => !Number.isInteger(p) || p < 0 || p >= points.length / 3);
  if (wrong !== undefined) {
    const hint = `points go from 0 to ${points.length / 3 - 1}`;
    fail('invalid-mesh', locate(settings, 'element'), `point ${wrong} does not exist`, hint);
  }
  return { dim, points, elements };
}

function readMeshPoints(settings: Settings, dim: 1 | 2 | 3, type: string, reading: Reading): FlexMesh | undefined {
  const asset = readText(settings, 'mesh');
  if (asset !== undefined) {
    const mesh = reading.meshes.get(asset);
    if (!mesh?.faces) {
      const message = `its mesh '${asset}' is not supported; the flex is left out`;
      reading.unsupported.add(settings.element, { attribute: 'mesh', affects: 'physics', message });
      return undefined;
    }
    return fromTriangles(mesh.vertices, mesh.faces, dim, settings);
  }
  const { path, bytes } = readAssetFile(settings, requireText(settings, 'file'), reading);
  if (type === 'gmsh' || isGmsh(bytes)) {
    const { vertices, tetrahedra } = readGmsh(path, bytes, reading.access.limits);
    return { dim: 3, points: vertices, elements: tetrahedra };
  }
  const { vertices, faces } = readMesh(path, bytes, reading.access.limits);
  return fromTriangles(vertices, faces, dim, settings);
}

/** A shell of the triangles, or tetrahedra from each of them to the origin. */
function fromTriangles(points: readonly number[], faces: readonly number[], dim: number, settings: Settings): FlexMesh {
  if (dim === 2) return { dim: 2, points: [...points], elements: [...faces] };
  if (dim === 1)
    fail('invalid-value', locate(settings, 'dim'), 'a mesh of triangles has dimension 2 or 3', 'remove dim="1"');
  const origin: Vec3 = readVec3(settings, 'origin') ?? [0, 0, 0];
  const elements: number[] = [];
  const from = (p: number): Vec3 => [0, 1, 2].map((c) => points[3 * p + c]! - origin[c]!) as Vec3;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [from(faces[f]!), from(faces[f + 1]!), from(faces[f + 2]!)];
    const volume =
      (a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] + (a[0] * b[1] - a[1] * b[0]) * c[2];
    if (volume >= 1e-15) elements.push(0, faces[f]! + 1, faces[f + 1]! + 1, faces[f + 2]! + 1);
  }
  return { dim: 3, points: [...origin, ...points], elements };
}

/** Points that no element has are left out, and the others numbered anew, as in MuJoCo; gives their new numbers. */
function dropUnused(mesh: FlexMesh): Map<number, number> {
  const used = new Set(mesh.elements);
  const count = mesh.points.length / 3;
  const number = new Map<number, number>();
  const points: number[] = [];
  for (let p = 0; p < count; p++) {
    if (!used.has(p)) continue;
    number.set(p, number.size);
    points.push(mesh.points[3 * p]!, mesh.points[3 * p + 1]!, mesh.points[3 * p + 2]!);
  }
  mesh.points = points;
  mesh.elements = mesh.elements.map((p) => number.get(p)!);
  return number;
}
