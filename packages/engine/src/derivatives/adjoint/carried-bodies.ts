/**
 * The reverse of the free motion V̂ of bodies (dynamics/coriolis-transport.ts) in Σ Λ · 𝓜 V̂, Λ a field of motions at q⁺. About the centre
 * of a tree a body has the momentum [I ω̂ + x × m v̂; m v̂], with x its centre of mass, I its inertia about that, ω̂ fixed to it and v̂ to
 * the world. At q, ω̂ is what a free turn makes of its ω in its own axes (dynamics/spin-step.ts), and v̂ = v + ω × x.
 */
import type { CoriolisTree } from '../../dynamics/inertial-plan.ts';
import type { MotionAdjoint } from '../../dynamics/motion-adjoint.ts';
import { reverseSpin, stepSpin } from '../../dynamics/spin-step.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';

const inertia = /* @__PURE__ */ new Float64Array(6);
const spin = /* @__PURE__ */ new Float64Array(3);
const result = /* @__PURE__ */ new Float64Array(6);
const bar = /* @__PURE__ */ new Float64Array(3);
const arm = /* @__PURE__ */ new Float64Array(3);

export class CarriedBodies {
  readonly #model: Model;
  readonly #before: Workspace;
  readonly #after: Workspace;
  /** Per body: gradient by ω̂ in its axes and by v̂. */
  readonly #bars: Float64Array;

  constructor(model: Model, before: Workspace, after: Workspace) {
    this.#model = model;
    this.#before = before;
    this.#after = after;
    this.#bars = new Float64Array(6 * model.size.body);
  }

  /** Adds the derivatives by Λ and by q⁺; keeps those by V̂. */
  addAfter({ virtual, virtualBar, wrench }: MotionAdjoint, { firstBody, endBody }: CoriolisTree): void {
    const { bodyRotation: rotation, bodyInertia, coriolis } = this.#after;
    const { carried } = coriolis;
    const bars = this.#bars;
    for (let b = firstBody; b < endBody; b++) {
      const o = 6 * b;
      const r = 9 * b;
      const m = bodyInertia[10 * b + 9];
      readInertia(this.#model, this.#after, b);
      const [x, y, z] = arm;
      for (let k = 0; k < 3; k++) {
        const n = r + 3 * k;
        spin[k] = rotation[n] * carried[o] + rotation[n + 1] * carried[o + 1] + rotation[n + 2] * carried[o + 2];
      }
      multiply(result, spin);
      const [lx, ly, lz] = result;
      const px = m * carried[o + 3];
      const py = m * carried[o + 4];
      const pz = m * carried[o + 5];
      virtualBar[o] += lx + y * pz - z * py;
      virtualBar[o + 1] += ly + z * px - x * pz;
      virtualBar[o + 2] += lz + x * py - y * px;
      virtualBar[o + 3] += px;
      virtualBar[o + 4] += py;
      virtualBar[o + 5] += pz;
      // turning along with the body, and moving x
      const wx = virtual[o];
      const wy = virtual[o + 1];
      const wz = virtual[o + 2];
      addForce(wrench, o, py * wz - pz * wy, pz * wx - px * wz, px * wy - py * wx);
      wrench[o] += ly * wz - lz * wy;
      wrench[o + 1] += lz * wx - lx * wz;
      wrench[o + 2] += lx * wy - ly * wx;
      for (let k = 0; k < 3; k++) spin[k] = virtual[o + k];
      multiply(result, spin);
      for (let k = 0; k < 3; k++)
        bars[o + k] = rotation[r + k] * result[0] + rotation[r + 3 + k] * result[1] + rotation[r + 6 + k] * result[2];
      bars[o + 3] = m * (virtual[o + 3] + wy * z - wz * y);
      bars[o + 4] = m * (virtual[o + 4] + wz * x - wx * z);
      bars[o + 5] = m * (virtual[o + 5] + wx * y - wy * x);
    }
  }

  /** Adds the derivatives by u and q of what was kept. */
  addBefore({ twistBar, wrench }: MotionAdjoint, { firstBody, endBody }: CoriolisTree, h: number): void {
    const { bodyRotation: rotation, bodyTwist } = this.#before;
    const bars = this.#bars;
    for (let b = firstBody; b < endBody; b++) {
      const o = 6 * b;
      const r = 9 * b;
      readInertia(this.#model, this.#before, b);
      for (let k = 0; k < 3; k++) {
        const n = r + 3 * k;
        bar[k] = rotation[n] * bars[o] + rotation[n + 1] * bars[o + 1] + rotation[n + 2] * bars[o + 2];
        spin[k] = bodyTwist[o + k];
      }
      if (stepSpin(result, inertia, 0, spin, 0, h)) reverseSpin(bar, inertia, 0, h);
      const [x, y, z] = arm;
      const [wx, wy, wz] = spin;
      const [gx, gy, gz] = bar;
      const fx = bars[o + 3];
      const fy = bars[o + 4];
      const fz = bars[o + 5];
      twistBar[o] += gx + y * fz - z * fy;
      twistBar[o + 1] += gy + z * fx - x * fz;
      twistBar[o + 2] += gz + x * fy - y * fx;
      twistBar[o + 3] += fx;
      twistBar[o + 4] += fy;
      twistBar[o + 5] += fz;
      addForce(wrench, o, fy * wz - fz * wy, fz * wx - fx * wz, fx * wy - fy * wx);
      wrench[o] += gy * wz - gz * wy;
      wrench[o + 1] += gz * wx - gx * wz;
      wrench[o + 2] += gx * wy - gy * wx;
    }
  }
}

// x of body b from the centre of its tree, and I about x
function readInertia(model: Model, { bodyCenter, treeCenter, bodyInertia }: Workspace, b: number): void {
  const s = 10 * b;
  const c = 3 * model.body.root[b];
  const x = bodyCenter[3 * b] - treeCenter[c];
  const y = bodyCenter[3 * b + 1] - treeCenter[c + 1];
  const z = bodyCenter[3 * b + 2] - treeCenter[c + 2];
  const m = bodyInertia[s + 9];
  arm[0] = x;
  arm[1] = y;
  arm[2] = z;
  inertia[0] = bodyInertia[s] - m * (y * y + z * z);
  inertia[1] = bodyInertia[s + 1] - m * (x * x + z * z);
  inertia[2] = bodyInertia[s + 2] - m * (x * x + y * y);
  inertia[3] = bodyInertia[s + 3] + m * x * y;
  inertia[4] = bodyInertia[s + 4] + m * x * z;
  inertia[5] = bodyInertia[s + 5] + m * y * z;
}

// out = I a
function multiply(out: Float64Array, [x, y, z]: Float64Array): void {
  out[0] = inertia[0] * x + inertia[3] * y + inertia[4] * z;
  out[1] = inertia[3] * x + inertia[1] * y + inertia[5] * z;
  out[2] = inertia[4] * x + inertia[5] * y + inertia[2] * z;
}

// a force at the centre of mass
function addForce(wrench: Float64Array, o: number, fx: number, fy: number, fz: number): void {
  const [x, y, z] = arm;
  wrench[o] += y * fz - z * fy;
  wrench[o + 1] += z * fx - x * fz;
  wrench[o + 2] += x * fy - y * fx;
  wrench[o + 3] += fx;
  wrench[o + 4] += fy;
  wrench[o + 5] += fz;
}
