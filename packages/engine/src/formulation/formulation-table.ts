/**
 * Which function makes which formulation. The package provides the built-in ones; a page may provide one when it is first asked
 * for, so that its script stays small (import '@nexdyn/engine/core' and, later, '@nexdyn/engine/sap', '/ccp' or '/ipc').
 */
import { NexdynError } from '../error.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { addFormulation, findFormulation } from '../scene/formulation-table.ts';
import type { FormulationTraits } from '../scene/formulation-traits.ts';
import type { FormulationId } from '../scene/options.ts';
import type { SoftBodies } from '../soft/soft-bodies.ts';
import type { Formulation } from './formulation.ts';
import { refuseRestitution } from './restitution.ts';
import { refuseSoftBodies } from './soft-support.ts';

/** `joints` are brought up to each configuration before the solve; so are the soft bodies, unless the formulation moves them. */
export type FormulationFactory = (
  model: Model,
  memory: Memory,
  joints: JointWorkspace,
  soft: SoftBodies,
) => Formulation;

/** A formulation: its traits, and a function that creates it for a model. */
// biome-ignore lint/suspicious/noExplicitAny: specs of all formulations stand in one table
export interface FormulationSpec<Options extends object = any> extends FormulationTraits<Options> {
  /** Makes the formulation for a simulation of a model. */
  readonly create: FormulationFactory;
}

const factories = new Map<FormulationId, FormulationFactory>();

/** From now on scenes may name this formulation and give its options, and simulations and programs have it. */
export function registerFormulation({ create, ...traits }: FormulationSpec): void {
  addFormulation(traits);
  factories.set(traits.id, create);
}

/** From now on models may ask for this formulation, which is in the table already. */
export function provideFormulation({ id }: FormulationTraits, factory: FormulationFactory): void {
  factories.set(id, factory);
}

/** The options of a formulation in a model, with defaults filled in. */
export function readOptions<Options extends object>(
  { options }: Model,
  { id }: FormulationTraits<Options>,
): Readonly<Required<Options>> {
  return options.formulations[id] as Readonly<Required<Options>>;
}

/** The formulation a model asks for. */
export function createFormulation(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { id, coordinates, isLoadedLater } = findFormulation(model.options.formulation);
  refuseRestitution(model);
  refuseSoftBodies(model);
  const factory = factories.get(id);
  if (!factory) {
    throw new NexdynError('unsupported-formulation', `the formulation '${id}' is not loaded`, {
      path: 'options.formulation',
      hint: isLoadedLater ? `import '@nexdyn/engine/${id}', or '@nexdyn/engine' for all` : `import '@nexdyn/engine'`,
    });
  }
  if (!coordinates.includes(model.coordinates)) {
    throw new NexdynError('unsupported-formulation', `${id} needs ${coordinates.join(' or ')} coordinates`, {
      path: 'options.coordinates',
      hint: `leave options.coordinates out, or compile with coordinates: '${coordinates[0]}'`,
    });
  }
  return factory(model, memory, joints, soft);
}
