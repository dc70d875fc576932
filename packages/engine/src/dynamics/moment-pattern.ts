/** Which dofs each actuator can move and each tendon's length depends on: patterns by rows. Constant for a model. */
import { JOINT, type Model, STATION, TRANSMISSION } from '../model/model.ts';

export interface MomentPattern {
  /** First entry of each actuator or tendon; one more than there are. */
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
}

export function createMomentPattern(model: Model): MomentPattern {
  const { actuator, site } = model;
  const rowStart = new Int32Array(model.size.actuator + 1);
  const column: number[] = [];
  for (let a = 0; a < model.size.actuator; a++) {
    const target = actuator.target[a];
    const dofs = new Set<number>();
    switch (actuator.transmission[a]) {
      case TRANSMISSION.tendon:
        addTendonDofs(model, target, dofs);
        break;
      case TRANSMISSION.body:
        // it may touch anything
        for (let i = 0; i < model.size.velocity; i++) dofs.add(i);
        break;
      case TRANSMISSION.crank:
      case TRANSMISSION.site:
        addChain(model, site.body[target], dofs);
        if (actuator.reference[a] >= 0) addChain(model, site.body[actuator.reference[a]], dofs);
        break;
      default:
        addJointDofs(model, target, dofs);
    }
    column.push(...[...dofs].sort((x, y) => x - y));
    rowStart[a + 1] = column.length;
  }
  return { rowStart, column: Int32Array.from(column) };
}

export function createTendonPattern(model: Model): MomentPattern {
  const rowStart = new Int32Array(model.size.tendon + 1);
  const column: number[] = [];
  for (let t = 0; t < model.size.tendon; t++) {
    const dofs = new Set<number>();
    addTendonDofs(model, t, dofs);
    column.push(...[...dofs].sort((x, y) => x - y));
    rowStart[t + 1] = column.length;
  }
  return { rowStart, column: Int32Array.from(column) };
}

/** Per tendon: first dof and end of the trees its pattern touches; its Jacobian is written and read there alone. */
export function findTendonSpans(model: Model, pattern: MomentPattern): Int32Array {
  const { parent } = model.dof;
  const spans = new Int32Array(2 * model.size.tendon);
  for (let t = 0; t < model.size.tendon; t++) {
    if (pattern.rowStart[t] === pattern.rowStart[t + 1]) continue;
    let first = pattern.column[pattern.rowStart[t]];
    while (parent[first] >= 0) first = parent[first];
    let end = pattern.column[pattern.rowStart[t + 1] - 1] + 1;
    while (end < parent.length && parent[end] >= 0) end++;
    spans[2 * t] = first;
    spans[2 * t + 1] = end;
  }
  return spans;
}

function addTendonDofs(model: Model, t: number, dofs: Set<number>): void {
  const { stationStart, stationCount } = model.tendon;
  for (let s = stationStart[t]; s < stationStart[t] + stationCount[t]; s++) addStationDofs(model, s, dofs);
}

function addStationDofs(model: Model, station: number, dofs: Set<number>): void {
  const object = model.tendon.stationObject[station];
  switch (model.tendon.stationKind[station]) {
    case STATION.joint:
      addJointDofs(model, object, dofs);
      break;
    case STATION.site:
      addChain(model, model.site.body[object], dofs);
      break;
    case STATION.sphere:
    case STATION.cylinder:
      addChain(model, model.shape.body[object], dofs);
      break;
  }
}

function addJointDofs(model: Model, joint: number, dofs: Set<number>): void {
  const constraint = joint - model.size.joint;
  if (constraint >= 0) {
    // a joint of body coordinates moves both its bodies
    addChain(model, model.constraintJoint.body1[constraint], dofs);
    addChain(model, model.constraintJoint.body2[constraint], dofs);
    return;
  }
  const kind = model.joint.kind[joint];
  const count = kind === JOINT.free ? 6 : kind === JOINT.ball ? 3 : 1;
  for (let i = 0; i < count; i++) dofs.add(model.joint.dofStart[joint] + i);
}

function addChain(model: Model, body: number, dofs: Set<number>): void {
  for (let i = model.body.lastDof[body]; i >= 0; i = model.dof.parent[i]) dofs.add(i);
}
