/** The inputs of a step as columns of its Jacobian: state, control, applied force, parameters, in this order. */
import type { Model } from '../model/model.ts';
import type { StepInputs } from './step-inputs.ts';
import type { Tangent } from './tangent.ts';

/** One input of a step. */
export interface StepColumn {
  readonly kind: 'state' | 'control' | 'force' | 'parameter';
  /** Place within its kind. */
  readonly index: number;
  readonly name: string;
}

/** All columns. */
export function listColumns(inputs: StepInputs, tangent: Tangent, model: Model): StepColumn[] {
  const columns: StepColumn[] = [];
  const names = tangent.listNames();
  if (inputs.hasState)
    for (let i = 0; i < tangent.wholeSize; i++)
      columns.push({ kind: 'state', index: i, name: names[i] ?? `state before the last step ${i - tangent.size}` });
  const actuators = model.actuator.name;
  for (let i = 0; i < inputs.controls; i++)
    columns.push({ kind: 'control', index: i, name: `control of ${actuators[i] || i}` });
  for (let i = 0; i < inputs.forces; i++) columns.push({ kind: 'force', index: i, name: `force on ${names[i]}` });
  return [...columns, ...listParameterColumns(inputs)];
}

/** The last of these. */
export function listParameterColumns({ parameters }: StepInputs): StepColumn[] {
  return parameters.map(({ path }, index) => ({ kind: 'parameter', index, name: path }));
}
