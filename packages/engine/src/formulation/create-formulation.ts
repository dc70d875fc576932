/** The formulation a model asks for. */
import { NexdynError } from '../error.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { createCcp } from './ccp/ccp.ts';
import type { Formulation } from './formulation.ts';
import { createFreeMotion } from './free-motion.ts';
import { createMujoco } from './mujoco/mujoco.ts';
import { refuseRestitution } from './restitution.ts';
import { createSap } from './sap/sap.ts';

export function createFormulation(model: Model, memory: Memory): Formulation {
  const { formulation } = model.options;
  if (model.constraintJoint.kind.length > 0 && formulation === 'ipc') {
    throw new NexdynError('unsupported-formulation', 'joints are not resolved in body coordinates yet', {
      hint: "compile the scene with coordinates: 'joint'",
    });
  }
  if (formulation !== 'ccp') refuseRestitution(model);
  switch (formulation) {
    case 'mujoco':
      return createMujoco(model, memory);
    case 'sap':
      return createSap(model, memory);
    case 'ccp':
      return createCcp(model, memory);
    default:
      return createFreeMotion(model);
  }
}
