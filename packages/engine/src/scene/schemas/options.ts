import { listFormulations } from '../formulation-table.ts';
import type {
  BuiltInFormulationId,
  ContactKind,
  ContactKinds,
  ContactOverride,
  MassRules,
  Medium,
  SceneOptions,
  SleepOptions,
} from '../options.ts';
import {
  addedBy,
  array,
  boolean,
  type FieldNode,
  name,
  object,
  oneOf,
  optional,
  reference,
  type Schema,
} from '../schema.ts';
import { amount, pairFriction, positive, solimp, solref, vec3 } from './parts.ts';

const medium = object<Medium>(
  { density: optional(amount), viscosity: optional(amount), wind: optional(vec3) },
  'Medium',
);

const contactOverride = object<ContactOverride>(
  {
    margin: optional(amount),
    solref: optional(solref),
    solimp: optional(solimp),
    friction: optional(pairFriction),
  },
  'ContactOverride',
);

const contactKind: Schema<ContactKind> = oneOf('point', 'hydroelastic', 'none');

const contactKinds = object<ContactKinds>(
  {
    rigidFloor: optional(contactKind),
    rigidRigid: optional(contactKind),
    softFloor: optional(contactKind),
    softRigid: optional(contactKind),
    softSoft: optional(contactKind),
  },
  'ContactKinds',
);

const common = object<Omit<SceneOptions, BuiltInFormulationId>>(
  {
    timestep: optional(positive),
    accuracy: optional(positive),
    gravity: optional(vec3),
    integrator: optional(
      oneOf('semiImplicit', 'euler', 'implicitfast', 'implicit', 'rk4', 'rkmk4', 'midpoint', 'bdf2'),
    ),
    formulation: optional(name()),
    coordinates: optional(oneOf('joint', 'body')),
    magneticField: optional(vec3),
    medium: optional(medium),
    disable: optional(
      array(
        oneOf(
          'contact',
          'constraint',
          'equality',
          'limit',
          'frictionLoss',
          'spring',
          'damper',
          'gravity',
          'actuation',
          'clampControl',
          'implicitDamping',
          'warmStart',
          'parentFilter',
          'safeReference',
          'island',
        ),
      ),
    ),
    contactOverride: optional(contactOverride),
    contactKinds: optional(contactKinds),
    start: optional(oneOf('separate', 'ignore-pairs', 'refuse')),
    fastBodies: optional(oneOf('auto', 'on', 'off')),
    sleep: optional(object<SleepOptions>({ tolerance: optional(positive) }, 'SleepOptions')),
    contactPoints: optional(oneOf('spread', 'mujoco')),
    maxStepTime: optional(positive),
  },
  'SceneOptions',
);

/** Fields of all formulations in the table are looked up when a scene is checked: more may be registered until then. */
export const sceneOptions: Schema<SceneOptions> = reference(() => {
  const ids = listFormulations().map(({ id }) => id);
  const fields = new Map<string, FieldNode>(common.fields);
  fields.set('formulation', { schema: addedBy('registerFormulation', oneOf(...ids)), optional: true });
  for (const { id, options } of listFormulations()) fields.set(id, { schema: options.schema, optional: true });
  return { ...common, fields };
});

export const massRules: Schema<MassRules> = object<MassRules>(
  {
    minimumMass: optional(amount),
    minimumInertia: optional(amount),
    totalMass: optional(positive),
    balanceInertia: optional(boolean()),
  },
  'MassRules',
);
