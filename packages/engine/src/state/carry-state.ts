/**
 * The state of one scene taken over by another: bodies added or removed in the middle of a run. What both scenes have goes on as it is;
 * what only the new one has begins at its initial pose, at rest; what only the old one had is gone.
 *
 * Parts are the same where their names are; unnamed ones where they are at the same place among the unnamed ones of the same parent.
 * A joint goes on where its body has as many joints as before, of the same kinds; a soft body where it has as many vertices and edges.
 * Impulses of the last step name contacts by numbers that another scene gives to other shapes: they begin anew.
 */
import type { Model } from '../model/model.ts';
import type { State } from './state.ts';

/** A scene in motion. */
interface Motion {
  readonly model: Model;
  readonly state: State;
}

/** Overwrites the state of `to` by what `from` has of the same parts. */
export function carryState(from: Motion, to: Motion): void {
  to.state.time[0] = from.state.time[0];
  carryBodies(from, to);
  carryConstraintJoints(from, to);
  carryActuators(from, to);
  carrySoftBodies(from, to);
  const equality = matchNames(from.model.equality.name, to.model.equality.name);
  copyParts(from.state.equalityActive, to.state.equalityActive, equality, 1);
}

function carryBodies(from: Motion, to: Motion): void {
  const match = matchNames(nameBodies(from.model), nameBodies(to.model));
  const [a, b] = [from.model, to.model];
  copyParts(from.state.bodyWrench, to.state.bodyWrench, match, 6);
  for (let body = 0; body < b.size.body; body++) {
    const before = match[body];
    if (before < 0) continue;
    if (a.body.mocap[before] >= 0 && b.body.mocap[body] >= 0) {
      copy(from.state.mocapPosition, 3 * a.body.mocap[before], to.state.mocapPosition, 3 * b.body.mocap[body], 3);
      copy(from.state.mocapOrientation, 4 * a.body.mocap[before], to.state.mocapOrientation, 4 * b.body.mocap[body], 4);
    }
    if (!haveSameJoints(a, before, b, body)) continue;
    const [j, k] = [a.body.jointStart[before], b.body.jointStart[body]];
    const count = b.body.jointCount[body];
    if (count === 0) continue;
    const positions = endOfPositions(b, k + count - 1) - b.joint.positionStart[k];
    copy(from.state.position, a.joint.positionStart[j], to.state.position, b.joint.positionStart[k], positions);
    const [v, w, dofs] = [a.body.dofStart[before], b.body.dofStart[body], b.body.dofCount[body]];
    copy(from.state.velocity, v, to.state.velocity, w, dofs);
    copy(from.state.appliedForce, v, to.state.appliedForce, w, dofs);
    copy(from.state.warmStart, v, to.state.warmStart, w, dofs);
  }
}

/** Names of bodies; unnamed ones by their parent and their place among its unnamed children. */
function nameBodies({ body, size }: Model): string[] {
  const names: string[] = [];
  const unnamed = new Map<string, number>();
  for (let b = 0; b < size.body; b++) {
    const above = b === 0 ? '' : names[body.parent[b]];
    const place = unnamed.get(above) ?? 0;
    if (body.name[b] === '') unnamed.set(above, place + 1);
    names.push(body.name[b] === '' ? `${above}/${place}` : `=${body.name[b]}`);
  }
  return names;
}

function haveSameJoints(a: Model, before: number, b: Model, body: number): boolean {
  const count = b.body.jointCount[body];
  if (a.body.jointCount[before] !== count) return false;
  for (let n = 0; n < count; n++) {
    if (a.joint.kind[a.body.jointStart[before] + n] !== b.joint.kind[b.body.jointStart[body] + n]) return false;
  }
  return true;
}

/** First position behind those of a joint. */
function endOfPositions({ joint, size }: Model, index: number): number {
  return index + 1 < joint.positionStart.length ? joint.positionStart[index + 1] : size.position;
}

/** Whole turns of hinges in body coordinates. */
function carryConstraintJoints(from: Motion, to: Motion): void {
  const match = matchNames(from.model.constraintJoint.name, to.model.constraintJoint.name);
  copyParts(from.state.hingeAngle, to.state.hingeAngle, match, 1);
}

function carryActuators(from: Motion, to: Motion): void {
  const [a, b] = [from.model.actuator, to.model.actuator];
  const match = matchNames(a.name, b.name);
  copyParts(from.state.control, to.state.control, match, 1);
  for (let n = 0; n < match.length; n++) {
    const before = match[n];
    if (before < 0 || a.activation[before] !== b.activation[n]) continue;
    const [start, target] = [a.activationStart[before], b.activationStart[n]];
    if (start >= 0 && target >= 0) copy(from.state.activation, start, to.state.activation, target, 1);
  }
}

function carrySoftBodies(from: Motion, to: Motion): void {
  const [a, b] = [from.model.soft, to.model.soft];
  const match = matchNames(a.name, b.name);
  for (let n = 0; n < match.length; n++) {
    const before = match[n];
    if (before < 0) continue;
    const [vertex, vertices] = range(a.vertexStart, before);
    const [edge, edges] = range(a.edgeStart, before);
    const [vertexTo, verticesTo] = range(b.vertexStart, n);
    const [edgeTo, edgesTo] = range(b.edgeStart, n);
    if (vertices !== verticesTo || edges !== edgesTo) continue;
    copy(from.state.softPosition, 3 * vertex, to.state.softPosition, 3 * vertexTo, 3 * vertices);
    copy(from.state.softVelocity, 3 * vertex, to.state.softVelocity, 3 * vertexTo, 3 * vertices);
    copy(from.state.softForce, 3 * vertex, to.state.softForce, 3 * vertexTo, 3 * vertices);
    copy(from.state.softHeld, vertex, to.state.softHeld, vertexTo, vertices);
    copy(from.state.softDirector, 3 * edge, to.state.softDirector, 3 * edgeTo, 3 * edges);
  }
  // plastic flow and broken attachments count through all bodies: they go on where there are as many as before
  if (from.state.softPlastic.length === to.state.softPlastic.length) to.state.softPlastic.set(from.state.softPlastic);
  if (from.state.attachmentBroken.length === to.state.attachmentBroken.length)
    to.state.attachmentBroken.set(from.state.attachmentBroken);
}

function range(start: Int32Array, n: number): [number, number] {
  return [start[n], start[n + 1] - start[n]];
}

/** Per name: where it stands in the other list, or −1. Equal names, such as none, match in their order. */
function matchNames(before: readonly string[], after: readonly string[]): Int32Array {
  const places = new Map<string, number[]>();
  before.forEach((name, n) => {
    const known = places.get(name);
    if (known) known.push(n);
    else places.set(name, [n]);
  });
  const used = new Map<string, number>();
  return Int32Array.from(after, (name) => {
    const place = used.get(name) ?? 0;
    used.set(name, place + 1);
    return places.get(name)?.[place] ?? -1;
  });
}

function copyParts(source: Float64Array, target: Float64Array, match: Int32Array, width: number): void {
  for (let n = 0; n < match.length; n++) {
    if (match[n] >= 0) copy(source, width * match[n], target, width * n, width);
  }
}

function copy(source: Float64Array, from: number, target: Float64Array, to: number, length: number): void {
  for (let i = 0; i < length; i++) target[to + i] = source[from + i];
}
