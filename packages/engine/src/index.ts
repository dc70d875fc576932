/** The whole engine: all that `core.ts` exports, and the parts that a page may load later. */
import './compliance.ts';
import './fields.ts';
import './formulation/ccp/provide.ts';
import './formulation/ipc/provide.ts';

export * from './core.ts';
