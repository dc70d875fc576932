/**
 * How contacts of `ccp` depend on the state (contact-blocks.ts): y = J v + b, b_n by the gap or, of contacts that bounce, by the velocity before
 * the step. Nothing here depends on inertia, and coefficients of friction are constant.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { RowRates } from '../row-rates.ts';
import type { CcpBuilder } from './ccp-builder.ts';
import { type NormalRates, readNormalRates } from './contact-blocks.ts';

export class CcpRates implements RowRates {
  readonly knowsTendons: boolean = false;
  readonly #builder: CcpBuilder;
  readonly #contacts: ContactSet;
  /** Per block: ∂b_n by the gap and by J v; and per row the last of them. */
  #rates: NormalRates[] = [];
  #speedRate: Float64Array = new Float64Array(0);

  constructor(builder: CcpBuilder, contacts: ContactSet) {
    this.#builder = builder;
    this.#contacts = contacts;
  }

  begin(): boolean {
    if (this.#builder.rolling.isActive) return false;
    const { rows, sourceIndex, blockCount, rowCount } = this.#builder.problem;
    this.#rates = [];
    this.#speedRate = new Float64Array(rowCount);
    for (let b = 0; b < blockCount; b++) {
      const rates = readNormalRates(this.#builder, this.#contacts, sourceIndex[b], b);
      this.#rates.push(rates);
      this.#speedRate[rows.rowStart[b]] = rates.bySpeed;
    }
    return true;
  }

  speedRate(row: number): number {
    return this.#speedRate[row];
  }

  gapBar(block: number, _contact: number, _eta: Float64Array, curved: Float64Array): number {
    return curved[0] * this.#rates[block].byGap;
  }

  // contacts alone are known here
  limitBar(): number {
    return 0;
  }

  addInverseMass(): void {}
}
