/**
 * Energies of the step: the interface, a friendlier layer over world points, built-in kinds and a check of derivatives. Importing this
 * file makes terms available.
 */
import './term/built-in-kinds.ts';
import { TERM_ROWS } from './formulation/term-rows/term-host.ts';
import { TermRows } from './formulation/term-rows/term-rows.ts';

export { nameTerms, type TermEnergy } from './diagnostics/term-energies.ts';
export type { SceneTerm, SceneTermPoint } from './scene/term.ts';
export {
  type CheckedEntry,
  checkTerm,
  type TermCheck,
  type TermCheckOptions,
  type TermCheckSource,
} from './term/check-term.ts';
export { createInitialConfiguration } from './term/initial-configuration.ts';
export { createMagnet, type MagnetParameters } from './term/magnet.ts';
export { createPointTerm, type PointTermOptions, type TermPoint } from './term/point-term.ts';
export { createSpringNetwork, type SpringNetworkParameters } from './term/spring-network.ts';
export type { Configuration, Direction, GradientSink, HessianSink, StepContext, Term } from './term/term.ts';
export { nameSceneTerms, registerTerm, type TermKind } from './term/term-registry.ts';
export { findBody, findSoftVertex } from './term/unknowns.ts';
export { createWind, type WindParameters } from './term/wind.ts';

TERM_ROWS.provide((host) => new TermRows(host));
