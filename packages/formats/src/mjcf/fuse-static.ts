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
  const loaded = listLoadedSites(root);
  for (const list of REFERRING_LISTS) {
    for (const member of referringList(part, list)) {
      for (const { space, name } of listReferences(member)) if (space === 'body') named.add(name);
    }
  }
  const isLoaded = ({ sites }: OpenBody): boolean => sites.some(({ name }) => name !== undefined && loaded.has(name));
  fuseChildren(part.world, part.world, (body) => isLoaded(body) || named.has(body.name ?? ''), reading);
}

function fuseChildren(body: OpenBody, world: OpenBody, isNamed: (body: OpenBody) => boolean, reading: Reading): void {
  const children = body.bodies;
  body.bodies = [];
  for (const child of children) {
    fuseChildren(child, world, isNamed, reading);
    if (isKept(child, body, reading) || !canFuse(child, body === world ? undefined : body, isNamed)) {
      if (isStatic(child) && !isKept(child, body, reading) && (child.inertia || body.inertia)) listKept(child, reading);
      body.bodies.push(child);
      continue;
    }
    pourContent(child, body, getPose(child));
  }
}

function isStatic(body: OpenBody): boolean {
  return body.joints.length === 0 && !body.mocap;
}

/** Bodies may ask to stay, and stay where forces on them are not those on their parent. */
function isKept(body: OpenBody, parent: OpenBody, { origins, part }: Reading): boolean {
  if (origins.get(body)?.attributes.get('fuse')?.value === 'false' || body.sleep !== undefined) return true;
  const { density = 0, viscosity = 0 } = part.options.medium ?? {};
  const isInFluid = density > 0 || viscosity > 0;
  if (isInFluid && body.shapes.some(({ fluid }) => fluid?.some(Boolean))) return true;
  const isPulled = (body.gravityCompensation ?? 0) !== (parent.gravityCompensation ?? 0);
  return (isInFluid || isPulled) && hasMass(body);
}

function hasMass({ inertia, shapes }: OpenBody): boolean {
  if (inertia) return inertia.mass > 0;
  return shapes.some(({ mass, density }) => (mass ?? density) !== 0);
}

/** Mass that is given as a number does not add to that of shapes; nothing weighs in the world. */
function canFuse(body: OpenBody, parent: OpenBody | undefined, isNamed: (body: OpenBody) => boolean): boolean {
  if (!isStatic(body) || isNamed(body)) return false;
  return !parent || (!body.inertia && !parent.inertia);
}

function listKept(body: OpenBody, { origins, unsupported }: Reading): void {
  const element = origins.get(body);
  const message = 'the body is not fused with its parent: its mass is given as a number; the motion is the same';
  if (element) unsupported.add(element, { affects: 'visual', message });
}

/** Sites at which force or torque sensors measure what the body takes from its parent. */
function listLoadedSites(root: XmlElement): Set<string> {
  const sites = new Set<string>();
  const visit = ({ name, attributes, children }: XmlElement): void => {
    const site = attributes.get('site')?.value;
    if (site !== undefined && (name === 'force' || name === 'torque')) sites.add(site);
    children.forEach(visit);
  };
  visit(root);
  return sites;
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
