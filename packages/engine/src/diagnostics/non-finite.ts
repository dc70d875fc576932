/** Finds and names numbers that are not finite. */
import type { NonFinite } from '../formulation/formulation.ts';
import type { Model } from '../model/model.ts';
import { fieldNames, type State, type StateFieldName } from '../state/state.ts';

/** Whether every number of the array is finite; one pass, no branches inside. */
export function areFinite(values: Float64Array): boolean {
  const { length } = values;
  const whole = length - (length % 4);
  // x − x is 0 for finite x and NaN otherwise; four sums that need not wait for each other
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < whole; i += 4) {
    a += values[i] - values[i];
    b += values[i + 1] - values[i + 1];
    c += values[i + 2] - values[i + 2];
    d += values[i + 3] - values[i + 3];
  }
  for (let i = whole; i < length; i++) a += values[i] - values[i];
  return a + b + (c + d) === 0;
}

/** The first number of the state that is not finite, by name; undefined where there is none. */
export function findNonFiniteState(model: Model, state: State): NonFinite | undefined {
  for (const quantity of fieldNames()) {
    const index = state[quantity].findIndex((value) => !Number.isFinite(value));
    if (index >= 0) return { quantity, index, name: nameOfEntry(model, quantity, index) };
  }
  return undefined;
}

/** The first acceleration that is not finite. */
export function findNonFiniteAcceleration(model: Model, acceleration: Float64Array): NonFinite | undefined {
  const index = acceleration.findIndex((value) => !Number.isFinite(value));
  return index < 0 ? undefined : { quantity: 'acceleration', index, name: nameOfDof(model, index) };
}

function nameOfEntry(model: Model, quantity: StateFieldName, index: number): string {
  switch (quantity) {
    case 'velocity':
    case 'appliedForce':
    case 'warmStart':
      return nameOfDof(model, index);
    case 'position': {
      let joint = model.size.joint - 1;
      while (joint > 0 && model.joint.positionStart[joint] > index) joint--;
      return nameOfJoint(model, joint);
    }
    case 'bodyWrench':
      return nameOfBody(model, Math.floor(index / 6));
    case 'mocapPosition':
      return nameOfBody(model, model.body.mocap.indexOf(Math.floor(index / 3)));
    case 'mocapOrientation':
      return nameOfBody(model, model.body.mocap.indexOf(Math.floor(index / 4)));
    case 'control':
      return model.actuator.name[index] || `actuator ${index}`;
    case 'activation': {
      const actuator = model.actuator.activationStart.indexOf(index);
      return model.actuator.name[actuator] || `actuator ${actuator}`;
    }
    case 'softPosition':
    case 'softVelocity':
    case 'softForce':
      return nameOfVertex(model, Math.floor(index / 3));
    case 'softHeld':
      return nameOfVertex(model, index);
    case 'equalityActive':
      return model.equality.name[index] || `equality ${index}`;
    case 'hingeAngle':
      return model.constraintJoint.name[index] || `joint ${index}`;
    default:
      return quantity;
  }
}

export function nameOfVertex({ soft }: Model, vertex: number): string {
  let n = soft.name.length - 1;
  while (n > 0 && soft.vertexStart[n] > vertex) n--;
  return `vertex ${vertex - soft.vertexStart[n]} of ${soft.name[n] || `soft body ${n}`}`;
}

export function nameOfDof(model: Model, dof: number): string {
  return nameOfJoint(model, model.dof.joint[dof]);
}

function nameOfJoint(model: Model, joint: number): string {
  return model.joint.name[joint] || nameOfBody(model, model.joint.body[joint]);
}

function nameOfBody(model: Model, body: number): string {
  return model.body.name[body] || `body ${body}`;
}
