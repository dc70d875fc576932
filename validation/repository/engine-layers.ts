/**
 * Which folders of packages/engine/src each folder may import from, itself, error.ts and step-deadline.ts aside. The order is
 * linear-algebra <- geometry <- collision <- contact <- objective <- formulation <- simulation.ts: nothing imports upward.
 */
const DESCRIPTION = ['scene', 'parts', 'kernels', 'linear-algebra', 'geometry', 'model', 'state'];
const MOTION = [...DESCRIPTION, 'term', 'dynamics', 'soft', 'joint'];
const CONTACTS = [...MOTION, 'collision', 'contact'];

export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  scene: [],
  // what may come later, and which scenes need it
  parts: ['scene'],
  'linear-algebra': [],
  // compiled twins stand behind one interface with the functions of linear-algebra
  kernels: ['linear-algebra'],
  minimize: ['linear-algebra', 'kernels'],
  geometry: ['scene', 'linear-algebra', 'kernels'],
  model: ['scene', 'parts', 'kernels', 'linear-algebra', 'geometry'],
  state: ['scene', 'kernels', 'linear-algebra', 'model'],
  // energies that users add
  term: DESCRIPTION,
  dynamics: [...DESCRIPTION, 'term'],
  // the elastic step uses the Newton loop
  soft: [...DESCRIPTION, 'term', 'dynamics', 'minimize'],
  joint: [...DESCRIPTION, 'dynamics'],
  collision: MOTION,
  contact: [...MOTION, 'collision'],
  objective: [...CONTACTS, 'minimize'],
  formulation: [...CONTACTS, 'objective', 'minimize'],
  diagnostics: [...CONTACTS, 'objective', 'formulation'],
  // what is measured in every step
  sensor: [...CONTACTS, 'formulation', 'diagnostics'],
  // what users set and read between steps
  readout: [...CONTACTS, 'objective', 'formulation', 'diagnostics', 'sensor'],
  // derivatives of whole steps: '' is simulation.ts
  derivatives: [...CONTACTS, 'objective', 'formulation', 'diagnostics', 'readout', ''],
};

/** Files that may import more, and from where. */
export const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // what a scene leaves to the initial pose (rest lengths, damping ratios) comes from the code that computes it in a step
  'model/rest-dynamics.ts': ['dynamics', 'state'],
  // the one table of formulations: what each is stands in its folder
  'scene/formulation-table.ts': ['formulation'],
  // formulas come with lessons, the check of soft bodies with them
  'scene/lesson-access.ts': ['parts'],
  'scene/picture-access.ts': ['parts'],
  'scene/soft-check-access.ts': ['parts'],
};
