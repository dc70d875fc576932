/** Builders of signed-distance fields; they come with '@nexdyn/engine/fields'. */

import type { createBoltField } from '../geometry/signed-distance/bolt-field.ts';
import type { createBowlField } from '../geometry/signed-distance/bowl-field.ts';
import type { triangulateBowl } from '../geometry/signed-distance/bowl-surface.ts';
import type { integrateField } from '../geometry/signed-distance/field-mass.ts';
import type { createGearField } from '../geometry/signed-distance/gear-field.ts';
import type { buildGridField } from '../geometry/signed-distance/grid-field.ts';
import type { buildMeshField } from '../geometry/signed-distance/mesh-field.ts';
import type { createNutField } from '../geometry/signed-distance/nut-field.ts';
import type { createTorusField } from '../geometry/signed-distance/primitive-field.ts';
import type { createShapeField } from '../geometry/signed-distance/shape-field.ts';
import type { traceSurface } from '../geometry/signed-distance/trace-surface.ts';
import { LazyModule } from '../parts/lazy-module.ts';

export const FIELD_BUILDERS: LazyModule<{
  readonly createTorusField: typeof createTorusField;
  readonly createBowlField: typeof createBowlField;
  readonly triangulateBowl: typeof triangulateBowl;
  readonly createBoltField: typeof createBoltField;
  readonly createGearField: typeof createGearField;
  readonly createNutField: typeof createNutField;
  readonly buildGridField: typeof buildGridField;
  readonly buildMeshField: typeof buildMeshField;
  readonly createShapeField: typeof createShapeField;
  readonly integrateField: typeof integrateField;
  readonly traceSurface: typeof traceSurface;
}> = new LazyModule('fields', 'signed-distance fields');
