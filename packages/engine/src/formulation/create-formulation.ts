/** The formulation a model asks for. */
import type { Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import { createCcp } from './ccp/ccp.ts';
import type { Formulation } from './formulation.ts';
import { createIpc } from './ipc/ipc.ts';
import { createMujoco } from './mujoco/mujoco.ts';
import { refuseRestitution } from './restitution.ts';
import { createSap } from './sap/sap.ts';

export function createFormulation(model: Model, memory: Memory): Formulation {
  const { formulation } = model.options;
  if (formulation !== 'ccp') refuseRestitution(model);
  switch (formulation) {
    case 'mujoco':
      return createMujoco(model, memory);
    case 'sap':
      return createSap(model, memory);
    case 'ccp':
      return createCcp(model, memory);
    case 'ipc':
      return createIpc(model, memory);
  }
}
