/** The whole engine: all that `core.ts` exports, and all four formulations. */
import './formulation/ccp/provide.ts';
import './formulation/ipc/provide.ts';

export * from './core.ts';
