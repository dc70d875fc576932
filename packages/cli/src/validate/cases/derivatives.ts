/** Derivatives of a step: what is most common of joints, actuators, constraints and contacts, against centred differences of whole steps. */
import { DERIVATIVE_KINDS, measureError, TOLERANCE } from '../derivatives/derivative-table.ts';
import { ALL, type ValidationCase } from '../validation-case.ts';

const KINDS = [
  'hinge',
  'slide',
  'ball',
  'spring',
  'dry-friction',
  'limit',
  'motor',
  'servo',
  'sphere',
  'capsule',
  'box',
  'ball-at-rest',
  'box-at-rest',
  'soft',
  'soft-contact',
];

export const DERIVATIVES: readonly ValidationCase[] = KINDS.map((name) => {
  const kind = DERIVATIVE_KINDS[name]!;
  return {
    name: `derivative-${name}`,
    group: 'derivatives',
    title: `largest relative error of an entry of A, B and F, ${kind.title}`,
    unit: '1',
    source: 'centred differences of fourth order of whole steps, solved to round-off',
    basis: '1e-6, the error of such differences',
    formulations: ALL,
    run: (formulation) => ({ value: measureError(formulation, kind), expected: 0, tolerance: TOLERANCE }),
  };
});
