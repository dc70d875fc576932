/**
 * The gap that joints of `ipc` open under load, by pure penalty and by augmented Lagrangian.
 *
 * Five links of 1 kg hang in line, the last with 100 kg. The joint between the first two carries λ = 104 kg g and sees the inertia
 * m = 1/(1/m₁ + 1/m₂) = 0.5 kg; with the penalty μ = γ m/h² it opens by
 *   C = λ/μ = λ h²/(γ m)        m
 * at rest, more than all others. The augmented Lagrangian takes λ as known and keeps C below its tolerance whatever γ is.
 */
import { type Body, Ruler } from '@nexdyn/engine';
import { formatMarkdownTable } from '../markdown-table.ts';
import { G, simulate, takeStep } from './case-scene.ts';

const LINKS = 5;
const MASS = 1;
const LOAD = 100;
/** Reduced mass of two links, and the mass that hangs from the joint between the first two. */
const SEEN = MASS / 2;
const CARRIED = (LINKS - 2) * MASS + LOAD;

/** Time step, s. */
export const GAP_STEP = 0.01;
/** Drift that the augmented Lagrangian is asked for, m and rad. */
export const GAP_TOLERANCE = 1e-6;

export interface JointGap {
  /** Largest drift at rest, m. */
  atRest: number;
  /** Largest drift over all steps, m. */
  worst: number;
  /** Newton iterations per step. */
  iterations: number;
  /** Steps that did not converge. */
  open: number;
}

/** μ of the joint between the first two links, N/m. */
export function findPenaltyStiffness(gamma: number): number {
  return (gamma * SEEN) / GAP_STEP ** 2;
}

/** λ/μ there, m. */
export function predictGap(gamma: number): number {
  return (CARRIED * G) / findPenaltyStiffness(gamma);
}

/** Hangs the chain up and lets it come to rest. */
export function measureJointGap(joints: 'penalty' | 'augmentedLagrangian', gamma: number): JointGap {
  const link = (k: number): Body => ({
    position: [0, 0, k === 0 ? 0 : -0.2],
    joints: [{ kind: 'ball' }],
    inertia: {
      kind: 'principal',
      mass: k === LINKS - 1 ? LOAD : MASS,
      moments: [0.01, 0.01, 0.01],
      center: [0, 0, -0.1],
    },
    bodies: k === LINKS - 1 ? [] : [link(k + 1)],
  });
  const simulation = simulate('ipc', {
    options: {
      timestep: GAP_STEP,
      // comes to rest soonest
      integrator: 'semiImplicit',
      ipc: {
        tolerance: 1e-8,
        joints,
        jointPenalty: gamma,
        jointTolerance: GAP_TOLERANCE,
        jointAngleTolerance: GAP_TOLERANCE,
      },
    },
    bodies: [link(0)],
  });
  const ruler = new Ruler(simulation);
  const steps = 200;
  let [worst, iterations, open] = [0, 0, 0];
  for (let n = 0; n < steps; n++) {
    takeStep(simulation);
    worst = Math.max(worst, ruler.measure().jointDrift);
    iterations += simulation.report.iterations / steps;
    if (simulation.report.status !== 'converged') open++;
  }
  return { atRest: ruler.last.jointDrift, worst, iterations, open };
}

/** The table of gaps against penalty stiffness, with an explanation. */
export function formatJointGaps(): string {
  const rows = [10, 1e2, 1e3, 1e4, 1e5, 1e6].map((gamma) => {
    const penalty = measureJointGap('penalty', gamma);
    const lagrangian = measureJointGap('augmentedLagrangian', gamma);
    const power = (value: number): string => value.toExponential(1).replace('e+', 'e');
    return [
      power(gamma),
      power(findPenaltyStiffness(gamma)),
      power(predictGap(gamma)),
      power(penalty.atRest),
      power(lagrangian.worst),
      penalty.iterations.toFixed(1),
      lagrangian.iterations.toFixed(1),
    ];
  });
  const headings = [
    'γ',
    'μ, N/m',
    'λ/μ, m',
    'gap by penalty, m',
    'gap by augmented Lagrangian, m',
    'iterations, penalty',
    'iterations, augmented Lagrangian',
  ];
  return `## Joint gap against penalty stiffness

Joints of \`ipc\` under load: five links of 1 kg that hang in line, the last with 100 kg, steps of ${1000 * GAP_STEP} ms. γ is the option \`jointPenalty\`, μ the penalty
of the joint that opens most, λ the force it carries (${(CARRIED * G).toFixed(0)} N). By pure penalty the gap is λ/μ and halves as μ doubles. The augmented Lagrangian keeps the largest gap
of all steps below its tolerance of 1e-6 m whatever μ is. Iterations are Newton iterations per step.

${formatMarkdownTable(headings, rows, () => true)}`;
}
