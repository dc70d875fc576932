/** `fusestatic`: bodies without joints become part of their parents, as long as nothing names them. */
import type { XmlElement } from '../xml/xml.ts';
import { getPose } from './body.ts';
import { pourContent, REFERRING_LISTS, referringList } from './copy.ts';
import type { OpenBody, Reading } from './reading.ts';
import { listReferences } from './references.ts';

/** Merges bodies into their parents from the leaves on. */
export function fuseStaticBodies(root: XmlElement, reading: Reading): void {
  const { part } = reading;
  const named = listTargets(root);
  for (const list of REFERRING_LISTS) {
    for (const member of referringList(part, list)) {
      for (const { space, name } of listReferences(member)) if (space === 'body') named.add(name);
    }
  }
  fuseChildren(part.world, part.world, named, reading);
}

function fuseChildren(body: OpenBody, world: OpenBody, named: ReadonlySet<string>, reading: Reading): void {
  const children = body.bodies;
  body.bodies = [];
  for (const child of children) {
    fuseChildren(child, world, named, reading);
    if (isKept(child, reading) || !canFuse(child, body === world ? undefined : body, named)) {
      if (isStatic(child) && !isKept(child, reading) && (child.inertia || body.inertia)) listKept(child, reading);
      body.bodies.push(child);
      continue;
    }
    pourContent(child, body, getPose(child));
  }
}

function isStatic(body: OpenBody): boolean {
  return body.joints.length === 0 && !body.mocap && !body.gravityCompensation;
}

/** Bodies may ask to stay. */
function isKept(body: OpenBody, { origins }: Reading): boolean {
  return origins.get(body)?.attributes.get('fuse')?.value === 'false';
}

/** Mass that is given as a number does not add to that of shapes; nothing weighs in the world. */
function canFuse(body: OpenBody, parent: OpenBody | undefined, named: ReadonlySet<string>): boolean {
  if (!isStatic(body) || (body.name && named.has(body.name))) return false;
  return !parent || (!body.inertia && !parent.inertia);
}

function listKept(body: OpenBody, { origins, unsupported }: Reading): void {
  const element = origins.get(body);
  const message = 'the body is not fused with its parent: its mass is given as a number; the motion is the same';
  if (element) unsupported.add(element, { affects: 'visual', message });
}

/** Names that sensors, cameras and lights may mean. */
function listTargets(root: XmlElement): Set<string> {
  const names = new Set<string>();
  const visit = (element: XmlElement, isSensor: boolean): void => {
    for (const [name, { value }] of element.attributes) if (isSensor || name === 'target') names.add(value);
    for (const child of element.children) visit(child, isSensor || child.name === 'sensor' || child.name === 'skin');
  };
  visit(root, false);
  return names;
}
