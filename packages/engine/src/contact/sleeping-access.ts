/** What keeps track of bodies that sleep; it comes with '@nexdyn/engine/sleeping'. */
import type { PairFilter } from '../collision/pair-filter.ts';
import type { Model } from '../model/model.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { State } from '../state/state.ts';
import type { Sleeping } from './sleeping.ts';

type CreateSleeping = (model: Model, state: State, filter: PairFilter, isWhole: boolean) => Sleeping;

export const SLEEPING: LazyModule<CreateSleeping> = /* @__PURE__ */ new LazyModule('sleeping', 'bodies that sleep');
