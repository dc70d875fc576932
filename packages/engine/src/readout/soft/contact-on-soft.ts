/** Read-outs of soft bodies with what the contacts of the last step did to them. */

import type { SoftQuantity } from '../../soft/soft-quantity.ts';
import { findIndex } from '../../state/inputs.ts';
import { type RegionReadout, readRegion } from './region-readout.ts';
import { writeSoftField } from './soft-field.ts';
import type { SoftReadout, SoftReadoutSource } from './soft-readout.ts';
import { createSurfaceReadout, readSurface, type SurfaceReadout } from './surface-readout.ts';

export class ContactOnSoft implements SoftReadout {
  readonly #source: SoftReadoutSource;
  readonly #surfaces: SurfaceReadout[] = [];

  constructor(source: SoftReadoutSource) {
    this.#source = source;
  }

  readSurface(n: number): SurfaceReadout {
    const { model, state, soft, collision } = this.#source;
    this.#surfaces[n] ??= createSurfaceReadout(soft.parts[n].mesh.vertexCount);
    readSurface(this.#surfaces[n], model, collision.contacts, n, state.softPosition);
    return this.#surfaces[n];
  }

  readRegion(n: number, region: string): RegionReadout {
    const { model, state, soft } = this.#source;
    const regions = model.soft.regions[n];
    const names = regions.map(({ name }) => name);
    const { vertices } = regions[findIndex(names, region, 'region')];
    return readRegion(model, state, n, vertices, soft.parts[n], this.readSurface(n), soft.readElasticGradient(n));
  }

  readField(n: number, quantity: SoftQuantity, out?: Float64Array): Float64Array {
    const { soft } = this.#source;
    const { position, rest, mesh } = soft.parts[n];
    return writeSoftField(out ?? new Float64Array(mesh.vertexCount), quantity, {
      stress: () => soft.readStress(n),
      surface: () => this.readSurface(n),
      position,
      rest,
    });
  }
}
