/**
 * The tangent space of a state, in which derivatives are vectors and matrices:
 *   δ = (δq, δx, δv, δẋ, δa [, δp])
 * q joint positions (as many numbers as dofs: rotations R exp[δφ] in body axes, free translation in world axes), x soft vertices,
 * v and ẋ their velocities, a activations. p is what a step keeps of the one before where its integrator has two steps (`bdf2`): numbers
 * of the state that are neither position nor velocity; without them derivatives of several steps would not chain.
 */
import { integratePositions } from '../dynamics/poses.ts';
import type { Formulation, KeptNumbers } from '../formulation/formulation.ts';
import { relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';

/** Parts of the tangent space, in their order. */
export type TangentPart = 'position' | 'softPosition' | 'velocity' | 'softVelocity' | 'activation' | 'kept';

const relative = /* @__PURE__ */ new Float64Array(4);
/** Names of the entries, by model. */
const known = /* @__PURE__ */ new WeakMap<Model, readonly string[]>();

export class Tangent {
  readonly model: Model;
  /** Numbers of a tangent vector without what is kept. */
  readonly size: number;
  /** The same with it. */
  readonly wholeSize: number;
  readonly start: Readonly<Record<TangentPart, number>>;
  readonly length: Readonly<Record<TangentPart, number>>;
  readonly #kept: KeptNumbers | undefined;
  readonly #move: Float64Array;

  constructor(model: Model, formulation: Formulation) {
    const { velocity, softVertex, activation } = model.size;
    this.model = model;
    this.#kept = formulation.kept;
    this.#move = new Float64Array(velocity);
    const length = {
      position: velocity,
      softPosition: 3 * softVertex,
      velocity,
      softVelocity: 3 * softVertex,
      activation,
      kept: this.#kept?.size ?? 0,
    };
    const start = { position: 0, softPosition: 0, velocity: 0, softVelocity: 0, activation: 0, kept: 0 };
    let end = 0;
    for (const part of Object.keys(start) as TangentPart[]) {
      start[part] = end;
      end += length[part];
    }
    this.start = start;
    this.length = length;
    this.size = start.kept;
    this.wholeSize = end;
  }

  /** state ← state ⊕ s δ; δ may end before what is kept. */
  retract(state: State, delta: Float64Array, s: number): void {
    const { start, length } = this;
    for (let i = 0; i < length.velocity; i++) {
      this.#move[i] = delta[i];
      state.velocity[i] += s * delta[start.velocity + i];
    }
    integratePositions(this.model, state.position, this.#move, 0, s);
    for (let i = 0; i < length.softPosition; i++) {
      state.softPosition[i] += s * delta[start.softPosition + i];
      state.softVelocity[i] += s * delta[start.softVelocity + i];
    }
    for (let i = 0; i < length.activation; i++) state.activation[i] += s * delta[start.activation + i];
    if (delta.length > this.size) this.#kept?.add(state, delta, start.kept, s);
  }

  /** out = to ⊖ from, as a vector at `from`. */
  subtract(out: Float64Array, to: State, from: Pick<State, keyof StateNumbers> & { kept: Float64Array }): void {
    const { start, length, model } = this;
    const { joint } = model;
    for (let j = 0; j < model.size.joint; j++) {
      const q = joint.positionStart[j];
      const v = joint.dofStart[j];
      const kind = joint.kind[j];
      if (kind === JOINT.free) for (let k = 0; k < 3; k++) out[v + k] = to.position[q + k] - from.position[q + k];
      if (kind === JOINT.free) subtractRotation(out, v + 3, to.position, from.position, q + 3);
      else if (kind === JOINT.ball) subtractRotation(out, v, to.position, from.position, q);
      else out[v] = to.position[q] - from.position[q];
    }
    const differ = (part: keyof StateNumbers): void => {
      for (let i = 0; i < length[part]; i++) out[start[part] + i] = to[part][i] - from[part][i];
    };
    differ('softPosition');
    differ('velocity');
    differ('softVelocity');
    differ('activation');
    if (this.#kept && out.length > this.size) {
      this.#kept.read(to, out, start.kept);
      for (let i = 0; i < length.kept; i++) out[start.kept + i] -= from.kept[i];
    }
  }

  /** A copy of the numbers of a state, for `subtract`. */
  copy(state: State): Pick<State, keyof StateNumbers> & { kept: Float64Array } {
    const kept = new Float64Array(this.length.kept);
    this.#kept?.read(state, kept, 0);
    return {
      position: state.position.slice(),
      softPosition: state.softPosition.slice(),
      velocity: state.velocity.slice(),
      softVelocity: state.softVelocity.slice(),
      activation: state.activation.slice(),
      kept,
    };
  }

  /** Which numbers of what is kept are there to be varied. */
  hasKept(state: State, i: number): boolean {
    return this.#kept?.has(state, i) ?? false;
  }

  /** Names of the entries, as in `arm.elbow` or `velocity of cube (x)`. */
  listNames(): readonly string[] {
    let names = known.get(this.model);
    if (!names) {
      names = this.#composeNames();
      known.set(this.model, names);
    }
    return names;
  }

  #composeNames(): string[] {
    const dofs = nameDofs(this.model);
    const vertices = nameVertices(this.model);
    return [
      ...dofs,
      ...vertices,
      ...dofs.map((name) => `velocity of ${name}`),
      ...vertices.map((name) => `velocity of ${name}`),
      ...nameActivations(this.model),
    ];
  }
}

type StateNumbers = Record<'position' | 'softPosition' | 'velocity' | 'softVelocity' | 'activation', Float64Array>;
/** The numbers of a state that a tangent vector moves. */
export type StateCopy = ReturnType<Tangent['copy']>;

// log(R_fromᵀ R_to)
function subtractRotation(out: Float64Array, o: number, to: Float64Array, from: Float64Array, q: number): void {
  relativeQuaternion(relative, 0, from, q, to, q);
  rotationVector(out, o, relative, 0);
}

const AXES = ['x', 'y', 'z'];
const FREE = [...AXES, 'turn x', 'turn y', 'turn z'];

function nameDofs({ joint, size, body }: Model): string[] {
  const names = new Array<string>(size.velocity).fill('');
  for (let j = 0; j < size.joint; j++) {
    const name = joint.name[j] || body.name[joint.body[j]] || `joint ${j}`;
    const kind = joint.kind[j];
    const v = joint.dofStart[j];
    const parts = kind === JOINT.free ? FREE : kind === JOINT.ball ? FREE.slice(3) : [];
    if (parts.length === 0) names[v] = name;
    for (const [k, part] of parts.entries()) names[v + k] = `${name} (${part})`;
  }
  return names;
}

function nameVertices({ soft, size }: Model): string[] {
  const names: string[] = [];
  for (let n = 0; n < size.softBody; n++) {
    for (let v = soft.vertexStart[n]; v < soft.vertexStart[n + 1]; v++)
      for (const axis of AXES)
        names.push(`${soft.name[n] || `soft body ${n}`} vertex ${v - soft.vertexStart[n]} (${axis})`);
  }
  return names;
}

function nameActivations({ size }: Model): string[] {
  return Array.from({ length: size.activation }, (_, i) => `activation ${i}`);
}
