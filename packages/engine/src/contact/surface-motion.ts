/**
 * Surfaces that move over their shape, as belts and turntables do. A surface with velocity u and spin w in the frame of its
 * shape moves at a point p by R (u + w × Rᵀ (p − o)), o and R the pose of the shape. A contact responds to the difference of
 * its two surfaces, in its own frame: along the tangents, and about the normal; it neither separates surfaces nor rolls them.
 * The surfaces of mocap bodies move with their velocities (mocap-motion.ts); what they push they have come to already, but dampers along
 * the normal see how fast they do.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { matrixFromQuaternion, multiplyQuaternions } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';

const origin = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(4);
const rotation = /* @__PURE__ */ new Float64Array(9);
/** Velocity and spin of the difference, world axes. */
const relative = /* @__PURE__ */ new Float64Array(6);

export class SurfaceMotion {
  /** Whether any surface moves over its shape. */
  readonly isPresent: boolean;
  /** Whether any surface may move, with mocap bodies among them. */
  readonly canMove: boolean;
  readonly #moves: Uint8Array;
  /** Per shape: the mocap body that it is a part of, or −1. */
  readonly #mocap: Int32Array;

  constructor({ shape, size, body }: Model) {
    // surfaces of soft bodies count as shapes and have no separate motion
    this.#moves = Uint8Array.from({ length: size.shape + size.softBody }, (_, s) =>
      shape.surfaceMotion.subarray(6 * s, 6 * s + 6).some(Boolean) ? 1 : 0,
    );
    this.#mocap = Int32Array.from({ length: this.#moves.length }, (_, s) =>
      s < size.shape && body.lastDof[shape.body[s]] < 0 ? body.mocap[body.root[shape.body[s]]] : -1,
    );
    this.isPresent = this.#moves.some(Boolean);
    this.canMove = this.isPresent || size.mocap > 0;
  }

  /** Whether any surface moves in the step. */
  isMoving({ mocapTwist }: Workspace): boolean {
    if (this.isPresent) return true;
    for (let i = 0; i < mocapTwist.length; i++) if (mocapTwist[i] !== 0) return true;
    return false;
  }

  /** Adds `scale` times the motion of surface 2 relative to surface 1 at contact i to its rows normal, tangents, spin, from out[at] on. */
  add(
    out: Float64Array,
    at: number,
    dimension: number,
    scale: number,
    model: Model,
    work: Workspace,
    contacts: ContactSet,
    i: number,
  ): void {
    const one = contacts.shape1[i];
    const two = contacts.shape2[i];
    const isCarried = this.#mocap[one] >= 0 || this.#mocap[two] >= 0;
    if ((this.#moves[one] + this.#moves[two] === 0 && !isCarried) || dimension < 3) return;
    relative.fill(0);
    if (this.#mocap[one] >= 0) addMocap(model, work, contacts, i, one, -1);
    if (this.#mocap[two] >= 0) addMocap(model, work, contacts, i, two, 1);
    if (this.#moves[one] === 1) addSurface(model, work, contacts, i, one, -1);
    if (this.#moves[two] === 1) addSurface(model, work, contacts, i, two, 1);
    const { frame } = contacts;
    const f = 9 * i;
    for (let k = 0; k < 6; k++) relative[k] *= scale;
    for (let k = 1; k < 3; k++) {
      const t = f + 3 * k;
      out[at + k] += frame[t] * relative[0] + frame[t + 1] * relative[1] + frame[t + 2] * relative[2];
    }
    if (dimension > 3) out[at + 3] += frame[f] * relative[3] + frame[f + 1] * relative[4] + frame[f + 2] * relative[5];
  }

  /** Speed along the normal at which mocap bodies part the surfaces of contact i, m/s; negative where they push. */
  measureParting(model: Model, work: Workspace, contacts: ContactSet, i: number): number {
    const one = contacts.shape1[i];
    const two = contacts.shape2[i];
    if (this.#mocap[one] < 0 && this.#mocap[two] < 0) return 0;
    relative.fill(0);
    if (this.#mocap[one] >= 0) addMocap(model, work, contacts, i, one, -1);
    if (this.#mocap[two] >= 0) addMocap(model, work, contacts, i, two, 1);
    const { frame } = contacts;
    return frame[9 * i] * relative[0] + frame[9 * i + 1] * relative[1] + frame[9 * i + 2] * relative[2];
  }
}

function addMocap(model: Model, work: Workspace, { position }: ContactSet, i: number, s: number, sign: number): void {
  const root = model.body.root[model.shape.body[s]];
  const m = 6 * model.body.mocap[root];
  const u = work.mocapTwist;
  const wx = sign * u[m + 3];
  const wy = sign * u[m + 4];
  const wz = sign * u[m + 5];
  const dx = position[3 * i] - work.bodyPosition[3 * root];
  const dy = position[3 * i + 1] - work.bodyPosition[3 * root + 1];
  const dz = position[3 * i + 2] - work.bodyPosition[3 * root + 2];
  relative[0] += sign * u[m] + wy * dz - wz * dy;
  relative[1] += sign * u[m + 1] + wz * dx - wx * dz;
  relative[2] += sign * u[m + 2] + wx * dy - wy * dx;
  relative[3] += wx;
  relative[4] += wy;
  relative[5] += wz;
}

function addSurface(model: Model, work: Workspace, { position }: ContactSet, i: number, s: number, sign: number): void {
  const { shape } = model;
  const body = shape.body[s];
  transformPoint(origin, 0, work, body, shape.position, 3 * s);
  multiplyQuaternions(turn, 0, work.bodyOrientation, 4 * body, shape.orientation, 4 * s);
  matrixFromQuaternion(rotation, 0, turn, 0);
  const m = shape.surfaceMotion;
  const at = 6 * s;
  const ux = m[at + 3];
  const uy = m[at + 4];
  const uz = m[at + 5];
  const wx = rotation[0] * ux + rotation[1] * uy + rotation[2] * uz;
  const wy = rotation[3] * ux + rotation[4] * uy + rotation[5] * uz;
  const wz = rotation[6] * ux + rotation[7] * uy + rotation[8] * uz;
  const dx = position[3 * i] - origin[0];
  const dy = position[3 * i + 1] - origin[1];
  const dz = position[3 * i + 2] - origin[2];
  for (let k = 0; k < 3; k++) {
    const slide = rotation[3 * k] * m[at] + rotation[3 * k + 1] * m[at + 1] + rotation[3 * k + 2] * m[at + 2];
    relative[k] += sign * slide;
  }
  relative[0] += sign * (wy * dz - wz * dy);
  relative[1] += sign * (wz * dx - wx * dz);
  relative[2] += sign * (wx * dy - wy * dx);
  relative[3] += sign * wx;
  relative[4] += sign * wy;
  relative[5] += sign * wz;
}
