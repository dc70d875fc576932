/** The laws of motion and contact as the ruler measures them, on a box that slides and stops and on a pendulum. */
import { type Body, Ruler, type RulerSummary, type SceneOptions, type Vec3 } from '@nexdyn/engine';
import { box, G, ground, simulate, takeStep } from '../case-scene.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const H = 1e-3;
const MU = 0.5;
const MASS = 2;
const SPEED = 2;
const HALF: Vec3 = [0.2, 0.2, 0.05];
const group = 'contact laws' as const;
const about = 'worst over all steps of a box that slides at 2 m/s, μ = 0.5, and stops';

/** A box set in motion at the height at which each formulation lets it slide, measured for some time. */
function slide(formulation: ComparedFormulation, seconds: number, options: SceneOptions = {}): RulerSummary {
  const dilation = { mujoco: 0, sap: H * MU * SPEED, ccp: H * MU * SPEED, ipc: 9e-4 }[formulation];
  const margin = formulation === 'sap' ? 0.02 : 0;
  const isCoulomb = options.ccp?.coulomb === true;
  const simulation = simulate(formulation, {
    options: { sap: { dissipation: 0, stiffness: 1e8 }, ...options },
    shapes: [ground({ friction: MU, margin })],
    bodies: [box('a', HALF, MASS, MU)],
    position: [0, 0, HALF[2] + (isCoulomb ? 0 : dilation), 1, 0, 0, 0],
    velocity: [SPEED, 0, 0, 0, 0, 0],
  });
  const ruler = new Ruler(simulation);
  while (simulation.time < seconds - 0.5 * H) {
    takeStep(simulation);
    ruler.measure();
  }
  return ruler.summarize();
}

export const LAWS: readonly ValidationCase[] = [
  {
    name: 'law-momentum',
    group,
    title: `momentum that the reported forces do not explain, relative: ${about}`,
    unit: '1',
    source: "Newton's second law",
    basis:
      'convex: tolerance of the solvers, 1e-8; ipc: the momentum that is missing changes velocities by less than its tolerance, ε/(h g)',
    formulations: ALL,
    run(formulation) {
      const { metrics } = slide(formulation, 0.6);
      const tolerance = formulation === 'ipc' ? 1e-4 / (H * G) : 1e-8;
      return { value: metrics.momentumResidual.max, expected: 0, tolerance };
    },
  },
  {
    name: 'law-cone',
    group,
    title: `how far forces lie outside their friction cones: ${about}`,
    unit: 'N',
    source: "Coulomb's law",
    basis:
      'round-off of the forces, 1e-12 of up to 1e3 N; ipc: friction has the normal force of the start of the step, which changes by less than a thousandth',
    formulations: ALL,
    run: (formulation) => ({
      value: slide(formulation, 0.6).metrics.coneViolation.max,
      expected: 0,
      tolerance: formulation === 'ipc' ? 1e-3 * MU * MASS * G : 1e-9,
    }),
  },
  {
    name: 'law-penetration',
    group,
    title: `penetration: ${about}`,
    unit: 'm',
    source: 'rigid contact under ccp; no accepted state of ipc intersects',
    basis: 'ccp: its tolerance over h, 1e-7 m; ipc: none',
    formulations: ['ccp', 'ipc'],
    run: (formulation) => ({
      value: slide(formulation, 0.6).metrics.penetration.max,
      expected: 0,
      tolerance: formulation === 'ccp' ? 1e-7 : 0,
    }),
  },
  {
    name: 'law-cone-program',
    group,
    title: `cone complementarity |f_N φ⁺ + h f_T·u_T|: ${about}`,
    unit: 'J',
    source: 'Anitescu and Tasora (2010): what ccp solves',
    basis: 'tolerance of the solver, 1e-10 of impulses and speeds: 1e-8 J',
    formulations: ['ccp'],
    run: (formulation) => ({
      value: slide(formulation, 0.6).metrics.coneComplementarity.max,
      expected: 0,
      tolerance: 1e-8,
    }),
  },
  {
    name: 'law-signorini-dilation',
    group,
    title:
      'Signorini complementarity of a box at its dilation gap, largest: f_N μ h v of one of four corners, N/4 and what tips it',
    unit: 'J',
    source: 'φ⁺ = μ h v under the cone program',
    basis:
      'a corner carries between a fourth of the weight and, tipped by friction, μ z/(2 x) = 1/16 more of it; v within 2 % of the start; the ' +
      'shares of four corners are not determined: `apgd` keeps them equal, from equal impulses on',
    formulations: ['ccp'],
    run(formulation) {
      const gap = MU * H * SPEED;
      const quarter = (MASS * G) / 4;
      const expected = quarter * (1 + (MU * HALF[2]) / HALF[0]) * gap;
      const { metrics } = slide(formulation, 0.05, { ccp: { solver: 'apgd' } });
      return { value: metrics.signorini.max, expected, tolerance: 0.05 * expected };
    },
  },
  {
    name: 'law-coulomb',
    group,
    title: "Coulomb's and Signorini's laws together, |f_N φ⁺ + h f_T·u_T + h μ f_N |u_T||, under `coulomb`",
    unit: 'J',
    source: 'De Saxcé and Feng (1998)',
    basis: 'tolerance of the loop, 1e-8 of impulses and speeds',
    formulations: ['ccp'],
    run: (formulation) => ({
      value: slide(formulation, 0.3, { ccp: { coulomb: true } }).metrics.coulombComplementarity.max,
      expected: 0,
      tolerance: 1e-6,
    }),
  },
  {
    name: 'law-dissipation',
    group,
    title: 'power that friction could dissipate but does not, while the box slides: μ f_N |u_T| + f_T·u_T',
    unit: 'W',
    source: 'principle of maximum dissipation (Moreau 1977)',
    basis: '1e-3 of the power of friction, μ m g v; ipc: friction against the slip of the whole step',
    formulations: ['sap', 'ccp', 'ipc'],
    run: (formulation) => ({
      value: slide(formulation, 0.2).metrics.dissipationError.max,
      expected: 0,
      tolerance: 1e-3 * MU * MASS * G * SPEED,
    }),
  },
  {
    name: 'law-energy',
    group,
    title: `energy that a step creates: ${about}`,
    unit: 'J',
    source: 'contact without restitution takes energy out',
    basis: 'tolerance of the solver: 1e-9 of the kinetic energy, and a tenth of a microjoule',
    formulations: ['ccp'],
    run(formulation) {
      const created = slide(formulation, 0.6).metrics.energyCreated.max;
      return { value: Math.max(0, created), expected: 0, tolerance: 1e-7 };
    },
  },
  {
    name: 'law-drift',
    group,
    title: 'drift of the joints of a double pendulum in 1 s: none in joint coordinates',
    unit: 'm',
    source:
      'mujoco and sap run in joint coordinates; ccp corrects in each step the drift of the previous one, (h ω)² l/2; ipc stops at 1e-6',
    basis: 'ω up to 6 rad/s, l = 1 m: 1.8e-5 m under ccp; 1e-6 m under ipc; none under the others',
    formulations: ALL,
    run(formulation) {
      const link = (name: string, bodies: Body[] = []): Body => ({
        name,
        position: name === 'one' ? [0, 0, 0] : [0, 0, -1],
        joints: [{ kind: 'hinge', axis: [0, -1, 0] }],
        inertia: { kind: 'principal', mass: 1, moments: [1e-3, 1e-3, 1e-3], center: [0, 0, -1] },
        bodies,
      });
      const simulation = simulate(formulation, { bodies: [link('one', [link('two')])], position: [1.2, 0] });
      const ruler = new Ruler(simulation);
      while (simulation.time < 1) {
        takeStep(simulation);
        ruler.measure();
      }
      const tolerance = { mujoco: 0, sap: 0, ccp: (6 * H) ** 2 / 2, ipc: 1e-6 }[formulation];
      return { value: ruler.summarize().metrics.jointDrift.max, expected: 0, tolerance };
    },
  },
];
