/** The whole engine: all that `core.ts` exports, soft bodies and contact by pressure, and all four formulations. */
import './compliance.ts';
import './formulation/ccp/provide.ts';
import './formulation/ipc/provide.ts';

export * from './core.ts';
