/** Options that can be changed while a scene runs, in one table: their path, unit, and what they do. */
import type { FormulationId } from '@nexdyn/engine';

export interface Parameter {
  /** Path below `options`. */
  path: string;
  label: string;
  /** Hover text. */
  title: string;
  /** Empty for pure numbers. */
  unit: string;
  kind: 'number' | 'choice' | 'switch';
  choices?: readonly string[];
  /** An option that may be left out: then the formulation chooses. */
  isOptional?: boolean;
}

const number = (path: string, label: string, unit: string, title: string): Parameter => ({
  path,
  label,
  unit,
  title,
  kind: 'number',
});

const choice = (path: string, label: string, choices: readonly string[], title: string): Parameter => ({
  path,
  label,
  unit: '',
  title,
  kind: 'choice',
  choices,
});

/** Options of each formulation. */
export const PARAMETERS: Readonly<Record<FormulationId, readonly Parameter[]>> = {
  mujoco: [
    choice('mujoco.solver', 'Solver', ['newton', 'cg', 'pgs'], 'Method of minimisation'),
    choice('mujoco.cone', 'Cone', ['pyramidal', 'elliptic'], 'Shape of the friction cone'),
    number('mujoco.pyramidEdges', 'Pyramid edges', '', 'Edges of a friction pyramid: even, 4 to 32'),
    number('mujoco.iterations', 'Iterations', '', 'Largest number of iterations of a step'),
    number('mujoco.tolerance', 'Tolerance', '', 'Stop when the scaled decrease or gradient is below this'),
    number(
      'mujoco.impedanceRatio',
      'Friction impedance',
      '',
      'Ratio of friction to normal impedance: larger values creep less (elliptic cones)',
    ),
    number('mujoco.noslipIterations', 'No-slip passes', '', 'Passes that remove slip after the solve'),
  ],
  sap: [
    choice('sap.solver', 'Solver', ['auto', 'newton', 'pcg'], 'Method of minimisation'),
    choice(
      'sap.contactModel',
      'Contact model',
      ['sap', 'lagged'],
      'Law of friction and dissipation; lagged has no dilation gap under sliding bodies',
    ),
    number('sap.iterations', 'Iterations', '', 'Largest number of iterations of a step'),
    number('sap.relativeTolerance', 'Tolerance', '', 'Relative tolerance of the momentum balance'),
    number('sap.lineSearchIterations', 'Line-search steps', '', 'Largest number of evaluations of a line search'),
    number(
      'sap.lineSearchTolerance',
      'Line-search tolerance',
      '',
      'Slope at which the search stops, relative to the slope at its start',
    ),
    number('sap.pcgIterations', 'PCG iterations', '', 'Largest number per Newton iteration; 0 lets the solver choose'),
    number('sap.pcgTolerance', 'PCG tolerance', '', 'Relative residual at which conjugate gradients stop'),
    number('sap.nearRigid', 'Near-rigid β', '', 'The period of a contact is at least β steps'),
    number('sap.frictionRegularization', 'Friction σ', '', 'Regularisation of friction: smaller values creep less'),
    number('sap.stiffness', 'Stiffness', 'N/m', 'Stiffness of contacts whose material has none'),
    number('sap.dissipation', 'Dissipation', 's', 'Dissipation time of contacts whose material has none'),
  ],
  ccp: [
    choice('ccp.solver', 'Solver', ['auto', 'apgd', 'spg', 'pgs', 'admm'], 'Method of minimisation'),
    number('ccp.iterations', 'Iterations', '', 'Largest number of iterations of a step'),
    number('ccp.tolerance', 'Tolerance', '', 'Scaled natural map of the cone program'),
    number('ccp.recoverySpeed', 'Recovery', 'm/s', 'Largest speed at which penetration is removed'),
    number('ccp.compliance', 'Compliance', 'm/N', 'Compliance of contacts'),
    {
      path: 'ccp.coulomb',
      label: 'Coulomb',
      unit: '',
      title: 'Solve for Coulomb’s law by an outer loop',
      kind: 'switch',
    },
  ],
  ipc: [
    number('ipc.barrierDistance', 'Barrier distance', 'm', 'Distance at which the barrier begins'),
    {
      ...number('ipc.barrierStiffness', 'Barrier stiffness', 'Pa', 'Stiffness of the barrier; adaptive if empty'),
      isOptional: true,
    },
    number('ipc.frictionVelocity', 'Friction εᵥ', 'm/s', 'Slip speed below which friction is smoothed'),
    number('ipc.frictionPasses', 'Friction passes', '', 'Passes of lagged friction; −1 repeats until converged'),
    number('ipc.iterations', 'Iterations', '', 'Largest number of Newton iterations of a step'),
    number('ipc.tolerance', 'Tolerance', 'm/s', 'Largest speed of a vertex in the last Newton step'),
    choice('ipc.joints', 'Joints', ['augmentedLagrangian', 'penalty'], 'How joints are enforced'),
    number('ipc.jointPenalty', 'Joint penalty γ', '', 'Penalty of joints relative to their inertia'),
    number(
      'ipc.jointPenaltyGrowth',
      'Penalty growth',
      '',
      'Factor on the penalty after an update that did not reduce the drift',
    ),
    number('ipc.jointRounds', 'Joint rounds', '', 'Largest number of multiplier updates'),
    number('ipc.jointTolerance', 'Joint tolerance', 'm', 'Allowed joint drift'),
    number('ipc.jointAngleTolerance', 'Joint tolerance', 'rad', 'Allowed joint drift, as an angle'),
  ],
  penalty: [
    choice(
      'penalty.contactForce',
      'Contact force',
      ['semiImplicit', 'explicit'],
      'Dampers and friction at the end of the step, or at its start',
    ),
    {
      ...number('penalty.stiffness', 'Stiffness', 'N/m', 'Stiffness of contacts; from masses and time step if empty'),
      isOptional: true,
    },
    number('penalty.dissipation', 'Dissipation', 's/m', 'Hunt-Crossley dissipation of contacts'),
    {
      ...number('penalty.slipSpeed', 'Slip speed', 'm/s', 'Slip speed below which friction is smoothed'),
      isOptional: true,
    },
    number('penalty.iterations', 'Iterations', '', 'Largest number of Newton iterations of a step'),
    number('penalty.tolerance', 'Tolerance', '', 'Relative tolerance of the momentum balance'),
  ],
};

/** Two sliding coefficients, spin (m) and two rolling (m): the engine's defaults except for sliding. The page does not load the engine. */
export function spreadFriction(friction: number): [number, number, number, number, number] {
  return [friction, friction, 0.005, 0.0001, 0.0001];
}
