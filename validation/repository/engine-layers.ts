/**
 * Which folders of packages/engine/src each folder may import from, itself and error.ts aside. The order is
 * linear-algebra <- geometry <- collision <- contact <- objective <- formulation <- simulation.ts: nothing imports upward.
 */
const DESCRIPTION = ['scene', 'kernels', 'linear-algebra', 'geometry', 'model', 'state'];
const MOTION = [...DESCRIPTION, 'dynamics', 'soft', 'joint'];
const CONTACTS = [...MOTION, 'collision', 'contact'];

export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  scene: [],
  kernels: [],
  'linear-algebra': ['kernels'],
  minimize: ['linear-algebra', 'kernels'],
  geometry: ['scene', 'kernels', 'linear-algebra'],
  // the rest lengths of tendons come from the same code that measures them in a step
  model: ['scene', 'kernels', 'linear-algebra', 'geometry', 'dynamics'],
  state: ['scene', 'kernels', 'linear-algebra', 'model'],
  dynamics: DESCRIPTION,
  soft: [...DESCRIPTION, 'dynamics'],
  joint: [...DESCRIPTION, 'dynamics'],
  collision: MOTION,
  contact: [...MOTION, 'collision'],
  objective: CONTACTS,
  diagnostics: [...CONTACTS, 'objective'],
  formulation: [...CONTACTS, 'objective', 'minimize', 'diagnostics'],
};
