/**
 * How rows of `mujoco` depend on the state: y = J a + B (J v) + K d r, and the impedance d(r) scales all forces of a block by 1/R,
 * R = (1 − d)/d w: laws are homogeneous in 1/R, so ∂f/∂ln(1/R) = f.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { EQUALITY } from '../../model/model.ts';
import { SOURCE } from '../../objective/convex-problem.ts';
import type { EqualityRates, RowRates } from '../row-rates.ts';
import { type GapRates, readGapRates } from './contact-blocks.ts';
import { bendDamped } from './equality-blocks.ts';
import { Impedance } from './impedance.ts';
import { readLimitRates } from './limit-blocks.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

export class MujocoRates implements RowRates {
  readonly #builder: MujocoBuilder;
  readonly #contacts: ContactSet;
  readonly #impedance = new Impedance();
  /** By block, read when first needed. */
  #gapRates: (GapRates | undefined)[] = [];

  constructor(builder: MujocoBuilder, contacts: ContactSet) {
    this.#builder = builder;
    this.#contacts = contacts;
  }

  begin(): boolean {
    const { isSharp, rolling } = this.#builder;
    if (isSharp || rolling.isActive) return false;
    this.#gapRates = new Array(this.#builder.problem.blockCount).fill(undefined);
    return true;
  }

  speedRate(row: number): number {
    return this.#builder.damping[row];
  }

  gapBar(block: number, contact: number, eta: Float64Array, curved: Float64Array, speed: Float64Array): number {
    const { rows, law } = this.#builder.problem;
    const { force } = this.#builder.problem.data;
    const first = rows.rowStart[block];
    const dimension = rows.rowStart[block + 1] - first;
    let rates = this.#gapRates[block];
    if (!rates) {
      rates = { reference: 0, logStiffness: 0, damping: 0, tangentDamping: 0 };
      readGapRates(rates, this.#builder, this.#contacts, contact, law[block]);
      this.#gapRates[block] = rates;
    }
    let bar = -curved[0] * rates.reference;
    for (let k = 0; k < dimension; k++) {
      bar -= eta[k] * force[first + k] * rates.logStiffness;
      bar += curved[k] * speed[k] * (k === 0 ? rates.damping : rates.tangentDamping);
    }
    return bar;
  }

  readonly knowsTendons: boolean = true;

  limitBar(block: number, distance: number, eta: number, curved: number): number {
    const { rows, source, sourceIndex } = this.#builder.problem;
    const { force } = this.#builder.problem.data;
    const isTendon = source[block] === SOURCE.tendonLimit;
    const [reference, logStiffness] = readLimitRates(this.#builder, isTendon, sourceIndex[block], distance);
    return -curved * reference - eta * force[rows.rowStart[block]] * logStiffness;
  }

  readEquality(e: number, norm: number): EqualityRates {
    const { model, safePeriod, h, isOnTheWay } = this.#builder;
    const { solref, solimp, kind } = model.equality;
    const impedance = this.#impedance;
    impedance.set(solref, 2 * e, solimp, 5 * e, norm, safePeriod);
    return {
      spring: impedance.stiffness * impedance.value,
      damping: impedance.damping,
      logRegularization: Math.log((1 - impedance.value) / impedance.value),
      bend:
        kind[e] === EQUALITY.connect || kind[e] === EQUALITY.weld ? bendDamped(h, isOnTheWay, impedance.damping) : 0,
      isShifted: isOnTheWay,
    };
  }

  addInverseMass(): void {}
}
