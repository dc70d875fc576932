/**
 * <flex> of <deformable>: vertices that belong to bodies, and elements between them. Bodies that are nothing but three slides, as
 * <flexcomp> writes them, are left out: they are the vertices. Vertices of other bodies are attached to them.
 */

import type { Joint } from '@nexdyn/engine';
import type { XmlElement } from '../../xml/xml.ts';
import { locate, readInteger, readList, readSize, readText, requireText, settingsOf } from '../attributes.ts';
import { getPose } from '../body.ts';
import { readColor } from '../color.ts';
import { fail, suggestName } from '../failure.ts';
import { composeFrames, type Frame, IDENTITY, transformPoint } from '../orientation.ts';
import type { OpenBody, Reading } from '../reading.ts';
import { collectNames } from '../references.ts';
import { checkAttributes, failUnknownElement } from '../schema.ts';
import { readSkin } from '../skin.ts';
import { measureFlex } from './flex-measure.ts';
import { buildMesh } from './flex-mesh.ts';
import type { FlexMesh } from './flex-points.ts';
import { readEdge, readElasticity, readFlexContact } from './flex-properties.ts';
import type { OpenSoft } from './open-soft.ts';

/** Reads one <deformable> section; the bodies have been read. */
export function readDeformables(section: XmlElement, reading: Reading): void {
  for (const element of section.children) {
    if (element.name === 'skin') readSkin(element, reading);
    else if (element.name === 'flex') readFlex(element, reading);
    else failUnknownElement(element, 'deformable');
  }
}

interface Place {
  body: OpenBody;
  parent: OpenBody;
  frame: Frame;
}

function readFlex(element: XmlElement, reading: Reading): void {
  checkAttributes(element);
  const settings = settingsOf(element);
  const leaveOut = (message: string): void => reading.unsupported.add(element, { affects: 'physics', message });
  if (readText(settings, 'node') !== undefined || readText(settings, 'dof') !== undefined) {
    leaveOut('a flex that is interpolated between nodes is not supported; it is left out');
    return;
  }
  const dim = (readInteger(settings, 'dim') ?? 2) as 1 | 2 | 3;
  if (![1, 2, 3].includes(dim))
    fail('invalid-value', locate(settings, 'dim'), `'dim' is 1, 2 or 3, got ${dim}`, '2 is a sheet');
  const names = requireText(settings, 'body').trim().split(/\s+/);
  if (names.length === 1) {
    leaveOut('a flex in one body is a rigid mesh, which is not supported; it is left out');
    return;
  }
  const local = readList(settings, 'vertex') ?? names.flatMap(() => [0, 0, 0]);
  if (local.length !== 3 * names.length) {
    const reason = `${names.length} bodies need ${3 * names.length} numbers, got ${local.length}`;
    fail('invalid-mesh', locate(settings, 'vertex'), reason, 'one vertex per body');
  }
  const elements = readList(settings, 'element') ?? [];
  const wrong = elements.find((v) => !Number.isInteger(v) || v < 0 || v >= names.length);
  if (elements.length === 0 || elements.length % (dim + 1) !== 0 || wrong !== undefined) {
    const reason =
      wrong === undefined ? `${elements.length} numbers are no elements` : `vertex ${wrong} does not exist`;
    fail('invalid-mesh', locate(settings, 'element'), reason, `an element has ${dim + 1} vertices`);
  }
  const places = listPlaces(reading.part.world);
  const mesh: FlexMesh = { dim, points: [], elements };
  const attachments: OpenSoft['attachments'] = [];
  const vertexNames: OpenSoft['vertexNames'] = {};
  const masses: number[] = [];
  names.forEach((name, i) => {
    const place = places.get(name);
    if (!place) {
      const hint = suggestName(name, collectNames(reading.part.world).body, 'bodies');
      fail('unknown-reference', locate(settings, 'body'), `there is no body '${name}'`, hint);
    }
    const at = local.slice(3 * i, 3 * i + 3) as [number, number, number];
    mesh.points.push(...transformPoint(place.frame, at));
    if (isPoint(place.body)) {
      vertexNames[name] = [i];
      masses.push(place.body.inertia?.mass ?? 0);
    } else attachments.push({ vertices: [i], body: name });
  });
  measureFlex(mesh);
  const radius = readSize(settings, 'radius') ?? 0.005;
  const built = buildMesh(mesh, radius, element, reading);
  if (!built) return;
  for (const name of Object.keys(vertexNames)) {
    const { parent, body } = places.get(name)!;
    parent.bodies.splice(parent.bodies.indexOf(body), 1);
  }
  const mean = masses.reduce((sum, mass) => sum + mass, 0) / Math.max(1, masses.length);
  if (masses.some((mass) => Math.abs(mass - mean) > 1e-9 * mean))
    leaveOut(`all vertices have the mean mass of their bodies, ${mean} kg`);
  const elasticity = readElasticity(element, dim, radius, reading);
  if (mean > 0) elasticity.vertexMass = mean;
  const { soft: contact, friction } = readFlexContact(element, reading);
  const color = readColor(settings, reading);
  const renumber = (vertex: number): number => built.order?.[vertex] ?? vertex;
  const open: OpenSoft = {
    name: readText(settings, 'name') ?? `flex ${reading.part.world.softBodies.length}`,
    soft: { mesh: built.mesh, elasticity, ...contact, ...(color && { color }) },
    pinned: [],
    attachments: attachments.map(({ vertices, body }) => ({ vertices: vertices.map(renumber), body })),
    vertexNames: Object.fromEntries(Object.entries(vertexNames).map(([name, list]) => [name, list.map(renumber)])),
    edge: readEdge(element, dim, 'flex edge', reading),
    ...(friction && { friction }),
  };
  reading.origins.set(open, element);
  reading.part.world.softBodies.push(open);
}

function listPlaces(world: OpenBody): Map<string, Place> {
  const places = new Map<string, Place>([['world', { body: world, parent: world, frame: IDENTITY }]]);
  const visit = (parent: OpenBody, frame: Frame): void => {
    for (const body of parent.bodies) {
      const own = composeFrames(frame, getPose(body));
      if (body.name) places.set(body.name, { body, parent, frame: own });
      visit(body, own);
    }
  };
  visit(world, IDENTITY);
  return places;
}

/** A mass on three slides at right angles. */
function isPoint({ joints, shapes, sites, bodies, softBodies }: OpenBody): boolean {
  if (shapes.length + sites.length + bodies.length + softBodies.length > 0 || joints.length !== 3) return false;
  const axis = (joint: Joint): readonly number[] => ('axis' in joint && joint.axis) || [0, 0, 1];
  if (joints.some((joint) => joint.kind !== 'slide')) return false;
  const dot = (a: Joint, b: Joint): number => axis(a).reduce((sum, value, k) => sum + value * axis(b)[k]!, 0);
  const [a, b, c] = joints as [Joint, Joint, Joint];
  return [dot(a, b), dot(b, c), dot(a, c)].every((value) => Math.abs(value) < 1e-9);
}
