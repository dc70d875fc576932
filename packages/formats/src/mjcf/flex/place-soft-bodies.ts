/** Soft bodies at their places in the world, and what refers to the bodies that MuJoCo makes for their points. */
import type { Equality, Material, SoftBody } from '@nexdyn/engine';
import { getPose, setPose } from '../body.ts';
import { REFERRING_LISTS, referringList } from '../copy.ts';
import { composeFrames, type Frame, IDENTITY } from '../orientation.ts';
import type { OpenBody, Reading } from '../reading.ts';
import { listReferences } from '../references.ts';
import { addEdgeStiffness } from './edge-stiffness.ts';
import type { FlexEquality, OpenSoft } from './open-soft.ts';

/** Calls a function with every soft body, the body that it stands in and the frame of that in the world. */
export function visitSoft(
  root: OpenBody,
  visit: (soft: OpenSoft, body: OpenBody, frame: Frame) => void,
  frame: Frame = IDENTITY,
): void {
  for (const soft of root.softBodies) visit(soft, root, frame);
  for (const child of root.bodies) visitSoft(child, visit, composeFrames(frame, getPose(child)));
}

/** Whether a body or one below it has soft bodies. */
export function hasSoftBodies({ softBodies, bodies }: OpenBody): boolean {
  return softBodies.length > 0 || bodies.some(hasSoftBodies);
}

/**
 * <connect> and <weld> with a point of a soft body become attachments. Everything else that refers to a point is left out and listed: the
 * point is no body of the scene.
 */
export function settleSoftReferences(reading: Reading): void {
  const hasSoft = hasSoftBodies(reading.part.world);
  const owner = new Map<string, OpenSoft>();
  const named = new Map<string, OpenSoft>();
  if (hasSoft) {
    visitSoft(reading.part.world, (soft) => {
      named.set(soft.name, soft);
      for (const name of Object.keys(soft.vertexNames)) owner.set(name, soft);
    });
  }
  for (const equality of reading.part.flexEqualities) holdEdges(equality, named, reading);
  if (owner.size === 0) return;
  for (const list of REFERRING_LISTS) {
    const members = referringList(reading.part, list);
    const kept = members.filter((member) => {
      const touching = listReferences(member).filter(({ name }) => owner.has(name));
      if (touching.length === 0) return true;
      if (list === 'equalities' && attachPoint(member as Equality, owner)) return false;
      const element = reading.origins.get(member);
      const message = `it refers to '${touching[0]!.name}', a point of a soft body; it is left out`;
      if (element) reading.unsupported.add(element, { affects: 'physics', message });
      return false;
    });
    members.length = 0;
    for (const member of kept) members.push(member);
  }
}

function holdEdges(equality: FlexEquality, named: ReadonlyMap<string, OpenSoft>, reading: Reading): void {
  const { flex, solref, solimp } = equality;
  const element = reading.origins.get(equality)!;
  const soft = named.get(flex);
  if (soft) Object.assign(soft.edge, { solref, solimp });
  const message = soft
    ? 'lengths of edges are held by a stiffness that yields as much as the constraint at rest'
    : `there is no flex '${flex}' in the scene`;
  reading.unsupported.add(element, { affects: 'physics', message });
}

function attachPoint(equality: Equality, owner: ReadonlyMap<string, OpenSoft>): boolean {
  if ((equality.kind !== 'connect' && equality.kind !== 'weld') || !('body1' in equality)) return false;
  if (equality.active === false) return true;
  const { body1, body2 = 'world' } = equality;
  const [point, other] = owner.has(body1!) ? [body1!, body2] : [body2, body1!];
  // two points of soft bodies cannot be attached to each other here
  if (owner.has(other)) return false;
  const soft = owner.get(point)!;
  let vertices = soft.vertexNames[point]!;
  if (equality.kind === 'connect' && vertices.length === 2) {
    // the anchor is in the frame of body1, which begins at the first of the two
    const along = point === body1 ? (equality.anchor?.[0] ?? 0) : 0;
    vertices = [vertices[along > 0.5 * (soft.edgeLength ?? 0) ? 1 : 0]!];
  }
  soft.attachments.push({ vertices, body: other });
  return true;
}

/** What soft bodies do not have of MuJoCo's flexes, where the file asks for it. */
function listLosses(open: OpenSoft, attachments: NonNullable<SoftBody['attachments']>, reading: Reading): void {
  const element = reading.origins.get(open);
  if (!element) return;
  const lose = (message: string): void => reading.unsupported.add(element, { affects: 'physics', message });
  const { medium } = reading.part.options;
  if (medium && (medium.density || medium.viscosity)) lose('the medium does not drag at soft bodies');
  const held = attachments.reduce((sum, { vertices }) => sum + vertices.length, 0);
  const mass = held * (open.soft.elasticity.vertexMass ?? 0);
  if (mass > 0)
    lose(`its ${held} points on moving bodies weigh ${Number(mass.toPrecision(4))} kg; MuJoCo's weigh nothing`);
}

/** The soft bodies of a model, and the materials of their surfaces. */
export function placeSoftBodies(reading: Reading): { softBodies: SoftBody[]; materials: Material[] } {
  const softBodies: SoftBody[] = [];
  const materials: Material[] = [];
  visitSoft(reading.part.world, (open, body, frame) => {
    addEdgeStiffness(open);
    const soft: SoftBody = { ...open.soft, name: open.name };
    setPose(soft, composeFrames(frame, getPose(open)));
    const isWorld = body === reading.part.world;
    const fixed = new Set(isWorld ? open.pinned : []);
    const attached = new Map<string, Set<number>>();
    const attach = (vertices: readonly number[], name: string): void => {
      const list = attached.get(name) ?? attached.set(name, new Set()).get(name)!;
      for (const vertex of vertices) list.add(vertex);
    };
    if (!isWorld && open.pinned.length > 0) {
      body.name ??= `body of ${open.name}`;
      attach(open.pinned, body.name);
    }
    for (const { vertices, body: other } of open.attachments) {
      if (other === 'world') for (const vertex of vertices) fixed.add(vertex);
      else attach(vertices, other);
    }
    if (fixed.size > 0) soft.pinned = [...fixed].sort((a, b) => a - b);
    // a vertex is held once: the world comes first, then bodies in the order in which they are named
    const taken = new Set(fixed);
    const attachments = [...attached].flatMap(([name, list]) => {
      const vertices = [...list].filter((vertex) => !taken.has(vertex)).sort((a, b) => a - b);
      for (const vertex of vertices) taken.add(vertex);
      return vertices.length > 0 ? [{ vertices, body: name }] : [];
    });
    if (attachments.length > 0) soft.attachments = attachments;
    listLosses(open, attachments, reading);
    if (open.friction) {
      const [friction, spinFriction, rollFriction] = open.friction;
      soft.material = `surface of ${open.name}`;
      materials.push({ name: soft.material, friction, spinFriction, rollFriction });
    }
    const origin = reading.origins.get(open);
    if (origin) reading.origins.set(soft, origin);
    softBodies.push(soft);
  });
  return { softBodies, materials };
}
