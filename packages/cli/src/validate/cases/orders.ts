/** Orders of convergence that the integrators claim, observed by Richardson (order-scenes.ts). */

import type { Choice } from '../integrator-table.ts';
import { MOTIONS, type OrderScene, observeOrder } from '../order-scenes.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

/** What each formulation has of order two. */
function chooseSecond(formulation: ComparedFormulation): Choice {
  return formulation === 'ipc' ? ['ipc', 'body', 'bdf2'] : [formulation, 'joint', 'midpoint'];
}

function chooseFirst(formulation: ComparedFormulation): Choice {
  return [formulation, formulation === 'ipc' ? 'body' : 'joint', 'semiImplicit'];
}

const SECOND: readonly OrderScene[] = ['pendulum', 'double-pendulum', 'torque-free', 'spring', 'drag'];
const FIRST: readonly OrderScene[] = ['pendulum', 'double-pendulum', 'drag'];

function createCase(scene: OrderScene, order: 1 | 2, formulations: readonly ComparedFormulation[]): ValidationCase {
  const choose = order === 2 ? chooseSecond : chooseFirst;
  const name = order === 2 ? 'midpoint (sap, ccp) and bdf2 (ipc)' : 'semiImplicit';
  return {
    name: `order-${order}-${scene}`,
    group: 'free motion',
    title: `order of ${name}: ${MOTIONS[scene].title}`,
    unit: '1',
    source: 'Richardson: log₂ of the ratio of the differences of runs with h, h/2 and h/4',
    basis: 'the next term of the error at these steps, 0.15',
    formulations,
    run: (formulation) => ({ value: observeOrder(scene, choose(formulation)), expected: order, tolerance: 0.15 }),
  };
}

export const ORDERS: readonly ValidationCase[] = [
  ...SECOND.map((scene) => createCase(scene, 2, ['sap', 'ccp', 'ipc'])),
  createCase('soft-bar', 2, ['ipc']),
  ...FIRST.map((scene) => createCase(scene, 1, ALL)),
  createCase('soft-bar', 1, ['ipc']),
];
