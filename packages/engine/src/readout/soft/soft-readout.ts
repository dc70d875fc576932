/** Read-outs of soft bodies that need the contacts of the last step. */

import type { ContactSet } from '../../collision/contact-set.ts';
import type { Model } from '../../model/model.ts';
import { LazyModule } from '../../parts/lazy-module.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { SoftQuantity } from '../../soft/soft-quantity.ts';
import type { State } from '../../state/state.ts';
import type { RegionReadout } from './region-readout.ts';
import type { SurfaceReadout } from './surface-readout.ts';

/** What is read of soft body n. */
export interface SoftReadout {
  readSurface(n: number): SurfaceReadout;
  readRegion(n: number, region: string): RegionReadout;
  readField(n: number, quantity: SoftQuantity, out?: Float64Array): Float64Array;
}

/** What it is read from; the contacts are those of the last step. */
export interface SoftReadoutSource {
  readonly model: Model;
  readonly state: State;
  readonly soft: SoftBodies;
  readonly collision: { readonly contacts: ContactSet };
}

/** Comes with '@nexdyn/engine/compliance'. */
export const SOFT_READOUT: LazyModule<(source: SoftReadoutSource) => SoftReadout> = new LazyModule(
  'compliance',
  'soft bodies',
);
