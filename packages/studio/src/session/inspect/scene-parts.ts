/** The parts of a scene as a tree: bodies as the scene nests them, with their joints and shapes; soft bodies; actuators; sensors; energies that the scene adds. */
import type { Model } from '@nexdyn/engine';
import { listDrivenParts, listScalarJoints } from '../drive/driven-parts.ts';
import { labelShapes } from '../shape-label.ts';
import type { ScenePart } from './quantity-key.ts';

/** In which order the parts of a body stand. */
const RANKS: readonly ScenePart['kind'][] = ['joint', 'shape', 'body'];

export function listSceneParts(model: Model): ScenePart[] {
  const { body, soft, size } = model;
  const nodes = body.name.map((name, b): ScenePart => {
    const label = b === 0 ? 'world' : name || `body ${b}`;
    return { id: `body:${b}`, kind: 'body', label, children: [] };
  });
  const byPath = new Map(body.path.map((path, b) => [path, nodes[b]!]));
  const roots: ScenePart[] = [];
  nodes.forEach((node, b) => {
    // bodies[3].bodies[0] lies in bodies[3], whatever the coordinates make of it
    const parent = b === 0 ? undefined : byPath.get(body.path[b]!.replace(/\.?[^.]*$/, ''));
    if (parent && parent !== nodes[0]) parent.children.push(node);
    else roots.push(node);
  });
  const { joints, actuators } = listDrivenParts(model);
  const scalar = listScalarJoints(model);
  joints.forEach(({ name }, place) => {
    const j = scalar[place]!;
    const owner = j < size.joint ? model.joint.body[j]! : model.constraintJoint.body2[j - size.joint]!;
    nodes[owner]!.children.push({ id: `joint:${place}`, kind: 'joint', label: name, children: [] });
  });
  labelShapes(model).forEach((label, s) => {
    if (s < size.shape)
      nodes[model.shape.body[s]!]!.children.push({ id: `shape:${s}`, kind: 'shape', label, children: [] });
  });
  for (const { children } of nodes) children.sort((a, b) => RANKS.indexOf(a.kind) - RANKS.indexOf(b.kind));
  const softBodies = soft.name.map(
    (name, n): ScenePart => ({ id: `soft:${n}`, kind: 'soft body', label: name || `soft body ${n + 1}`, children: [] }),
  );
  const drives = actuators.map(
    ({ name }, a): ScenePart => ({ id: `actuator:${a}`, kind: 'actuator', label: name, children: [] }),
  );
  const sensors = model.sensor.name.map(
    (name, n): ScenePart => ({
      id: `sensor:${n}`,
      kind: 'sensor',
      label: name || `${model.sensor.kind[n]} ${n + 1}`,
      children: [],
    }),
  );
  const terms = model.terms.map(
    ({ name, kind }, n): ScenePart => ({ id: `term:${n}`, kind: 'term', label: name ?? kind, children: [] }),
  );
  // a world without shapes has nothing to show
  return [
    ...roots.filter((node) => node !== nodes[0] || node.children.length > 0),
    ...softBodies,
    ...drives,
    ...sensors,
    ...terms,
  ];
}
