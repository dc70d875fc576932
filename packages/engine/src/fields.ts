/** Importing this file makes shapes with a signed-distance field available. */
import { FIELD_CONTACT } from './collision/field-contact.ts';
import { createBoltField } from './geometry/signed-distance/bolt-field.ts';
import { createBowlField } from './geometry/signed-distance/bowl-field.ts';
import { triangulateBowl } from './geometry/signed-distance/bowl-surface.ts';
import { findContactSurface } from './geometry/signed-distance/contact-surface.ts';
import { integrateField } from './geometry/signed-distance/field-mass.ts';
import { createGearField } from './geometry/signed-distance/gear-field.ts';
import { buildGridField } from './geometry/signed-distance/grid-field.ts';
import { buildMeshField } from './geometry/signed-distance/mesh-field.ts';
import { createNutField } from './geometry/signed-distance/nut-field.ts';
import { createTorusField } from './geometry/signed-distance/primitive-field.ts';
import { createShapeField } from './geometry/signed-distance/shape-field.ts';
import { testSignedDistancePair } from './geometry/signed-distance/signed-distance-pairs.ts';
import { traceSurface } from './geometry/signed-distance/trace-surface.ts';
import { FIELD_BUILDERS } from './model/field-builders.ts';

FIELD_BUILDERS.provide({
  createTorusField,
  createBowlField,
  triangulateBowl,
  createBoltField,
  createNutField,
  createGearField,
  buildGridField,
  buildMeshField,
  createShapeField,
  integrateField,
  traceSurface,
});
FIELD_CONTACT.provide({ prepare: findContactSurface, test: testSignedDistancePair });
