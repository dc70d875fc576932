/**
 * Which function makes which formulation. The package provides all four; a page may provide one when it is first asked for, so
 * that its script stays small (import '@nexdyn/engine/core' and, later, '@nexdyn/engine/ccp' or '@nexdyn/engine/ipc').
 */
import { NexdynError } from '../error.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import type { FormulationId } from '../scene/options.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { Formulation } from './formulation.ts';
import { createMujoco } from './mujoco/mujoco.ts';
import { refuseRestitution } from './restitution.ts';
import { createSap } from './sap/sap.ts';
import { refuseSoftBodies } from './soft-support.ts';

/** `joints` are brought up to each configuration before the solve; so are the soft bodies, unless the formulation moves them. */
export type FormulationFactory = (
  model: Model,
  memory: Memory,
  joints: JointWorkspace,
  soft: SoftBodies,
) => Formulation;

const factories: Partial<Record<FormulationId, FormulationFactory>> = { mujoco: createMujoco, sap: createSap };

/** From now on models may ask for this formulation. */
export function provideFormulation(id: FormulationId, factory: FormulationFactory): void {
  factories[id] = factory;
}

/** The formulation a model asks for. */
export function createFormulation(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { formulation } = model.options;
  if (formulation !== 'ccp') refuseRestitution(model);
  refuseSoftBodies(model);
  const factory = factories[formulation];
  if (!factory) {
    throw new NexdynError('unsupported-formulation', `the formulation '${formulation}' is not loaded`, {
      path: 'options.formulation',
      hint: `import '@nexdyn/engine/${formulation}', or '@nexdyn/engine' for all`,
    });
  }
  return factory(model, memory, joints, soft);
}
