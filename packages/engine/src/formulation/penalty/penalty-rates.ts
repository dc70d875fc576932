/**
 * How contacts of `penalty` depend on the state (contact-blocks.ts), by the depth δ = −φ and the velocity u of the start of the step:
 *   n₀ = k δ (1 − d u_n)₊          ∂n₀/∂δ = k (1 − d u_n) − k δ d' u_n,   ∂n₀/∂u_n = −k δ d,   d' = −τ/δ² with a dissipation time τ, else 0
 *   `semiImplicit`   f_n = h k δ (1 − d y_n)₊,  f_t = −h μ n₀ y_t/√(|y_t|² + ε²)     y the velocity of the end
 *   `explicit`       f_n = h n₀,                f_t = −h μ n₀ u_t/√(|u_t|² + ε²)     ε = max(ε₀, s h w μ n₀) where the scene gives none
 */
import type { RateParts } from '../row-rates.ts';
import { type InverseMass, NO_INVERSE_MASS, VelocityRates } from '../velocity-solve/velocity-rates.ts';
import { LEAST_SLIP, SLIP_STEPS } from './contact-blocks.ts';
import { contactStiffness, weighSides } from './contact-stiffness.ts';
import type { PenaltyBuilder } from './penalty-builder.ts';

export class PenaltyRates extends VelocityRates {
  readonly #builder: PenaltyBuilder;
  /** ∂f/∂δ and ∂f/∂u of a contact, rows of f. */
  readonly #byDepth = new Float64Array(3);
  readonly #bySpeed = new Float64Array(9);

  constructor(builder: PenaltyBuilder, parts: RateParts) {
    super(builder, parts);
    this.#builder = builder;
  }

  gapBar(block: number, contact: number, eta: Float64Array, _curved: Float64Array, speed: Float64Array): number {
    this.#differentiate(block, contact, speed);
    let bar = 0;
    for (let k = 0; k < 3; k++) bar += eta[k] * this.#byDepth[k];
    return bar;
  }

  addSpeedBars(out: Float64Array, block: number, contact: number, eta: Float64Array, speed: Float64Array): void {
    this.#differentiate(block, contact, speed);
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[c] -= eta[r] * this.#bySpeed[3 * r + c];
  }

  protected readContact(): InverseMass {
    return NO_INVERSE_MASS;
  }

  #differentiate(block: number, i: number, u: Float64Array): void {
    const { model, problem, options, h } = this.#builder;
    const { contacts } = this;
    const byDepth = this.#byDepth.fill(0);
    const bySpeed = this.#bySpeed.fill(0);
    const depth = -contacts.gap[i];
    const k = contactStiffness(model, options, contacts, i, 0);
    const time = contacts.dissipation[i];
    const d = time >= 0 ? time / depth : options.dissipation;
    const rate = time >= 0 ? -time / (depth * depth) : 0;
    const mu = contacts.condim[i] > 1 ? contacts.friction[5 * i] : 0;
    const isPushed = 1 - d * u[0] > 0;
    const grip = isPushed ? mu * k * depth * (1 - d * u[0]) : 0;
    const gripByDepth = isPushed ? mu * k * (1 - (d + depth * rate) * u[0]) : 0;
    const gripBySpeed = isPushed ? -mu * k * depth * d : 0;
    const isExplicit = options.contactForce === 'explicit';
    const first = problem.rows.rowStart[block];
    const y = isExplicit ? u : problem.data.residual.subarray(first, first + 3);
    if (1 - d * y[0] > 0) {
      byDepth[0] = h * k * (1 - (d + depth * rate) * y[0]);
      if (isExplicit) bySpeed[0] = -h * k * depth * d;
    }
    let slow = options.slipSpeed;
    let slowByGrip = 0;
    if (isExplicit && !(slow > 0)) {
      slowByGrip = SLIP_STEPS * h * weighSides(model, contacts, i);
      slow = Math.max(LEAST_SLIP, slowByGrip * grip);
      if (slow === LEAST_SLIP) slowByGrip = 0;
    }
    const length = Math.sqrt(y[1] * y[1] + y[2] * y[2] + slow * slow);
    for (let t = 1; t < 3; t++) {
      const byGrip = (-h * y[t] * (1 - (grip * slow * slowByGrip) / (length * length))) / length;
      byDepth[t] = byGrip * gripByDepth;
      bySpeed[3 * t] = byGrip * gripBySpeed;
      if (!isExplicit) continue;
      for (let c = 1; c < 3; c++)
        bySpeed[3 * t + c] = (-h * grip * ((t === c ? 1 : 0) - (y[t] * y[c]) / (length * length))) / length;
    }
  }
}
