/**
 * The scenes of `nexdyn compare`, as they come and with their own options, beside closed forms: a slope, a stack, an arch, a
 * gripper and a robot of the Menagerie (folder `shared/models` beside the repository, or NEXDYN_MODELS). `ipc` alone is solved to
 * its end: at its 1e-3 m/s a step may leave m · 1e-3 m/s / h of a force unexplained, a tenth of a weight at 1 ms, and with one
 * pass of friction it reports friction of the normal forces at the end of the step where those before it acted.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Simulation } from '@nexdyn/engine';
import { startFormulation } from '../../compare/formulation-run.ts';
import { fromPackage } from '../../package-folder.ts';
import { loadSceneFile } from '../../scene-file.ts';
import { findThrust } from '../arch-thrust.ts';
import { advance, G, placeOf, sumVerticalForces, takeStep, velocityOf } from '../case-scene.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

const MODELS = process.env['NEXDYN_MODELS'] ?? fromPackage('../../../shared/models');
const ROBOT = join(MODELS, 'menagerie/google_barkour_vb/scene.xml');
const group = 'compared scenes' as const;
const SOLVED = ['ipc.tolerance=1e-6', 'ipc.frictionPasses=-1'];

function open(scene: string, formulation: ComparedFormulation, keyframe?: string): Simulation {
  const loaded = loadSceneFile(scene);
  return startFormulation(formulation, {
    loaded,
    seconds: 1,
    set: SOLVED,
    ...(keyframe && { keyframe }),
  });
}

/** Mean of a number over the steps of a time. */
function average(simulation: Simulation, seconds: number, read: () => number): number {
  const steps = Math.round(seconds / simulation.timestep);
  let sum = 0;
  for (let n = 0; n < steps; n++) {
    takeStep(simulation);
    sum += read();
  }
  return sum / steps;
}

const sumLoads = (simulation: Simulation): number =>
  simulation.contactForces().reduce((sum, { force, normal }) => sum + Math.sign(normal[2]) * force[2], 0);

// the slope: 20°, a box of 5.76 kg with friction 0.2 slides and one with 0.5 holds
const ANGLE = (20 * Math.PI) / 180;
const H = 2e-3;
const SLIDE = G * (Math.sin(ANGLE) - 0.2 * Math.cos(ANGLE));

/** How far a box of the slope went down along it in a time, m. */
function followBox(
  formulation: ComparedFormulation,
  body: string,
  seconds: number,
): { way: number; simulation: Simulation } {
  const simulation = open('incline', formulation);
  const [x, , z] = placeOf(simulation, body);
  advance(simulation, seconds);
  const [toX, , toZ] = placeOf(simulation, body);
  return { way: (x - toX) * Math.cos(ANGLE) + (z - toZ) * Math.sin(ANGLE), simulation };
}

// the arch: 15 blocks between radii 0.9 and 1.1 m, 0.28 m deep, 2000 kg/m³
const BLOCK = 0.5 * Math.sin(Math.PI / 15) * (1.1 ** 2 - 0.9 ** 2) * 0.28 * 2000;
const ARCH = { blocks: 15, inner: 0.9, outer: 1.1, weight: 15 * BLOCK * G };

// the gripper: fingers touch the cube 0.038 m from where they start, driven by 600 N/m towards 0.07 m
const GRIP = 600;
const TOUCH = 0.11 - 0.016 - 0.006 - 0.05;
const reach = (time: number): number => 0.07 * (1 - Math.exp(-time / 0.15));
/** How deep or far apart surfaces are under a force of 20 N, m: what the fingers go on or stop short. */
const NEAR: Record<ComparedFormulation, number> = { mujoco: 2e-3, sap: 3e-5, ccp: 1e-6, ipc: 1e-3 };

export const COMPARED_SCENES: readonly ValidationCase[] = [
  {
    name: 'incline-distance',
    group,
    title: 'incline: distance of the box with μ = 0.2 in 1 s, a t (t + h)/2 with a = g (sin a − μ cos a)',
    unit: 'm',
    source: "Coulomb's law, summed over the steps",
    basis: 'the dilation gap under the sliding body forms first: 0.5 %',
    formulations: ALL,
    run(formulation) {
      const expected = (SLIDE * (1 + H)) / 2;
      return { value: followBox(formulation, 'slides', 1).way, expected, tolerance: 0.005 * expected };
    },
  },
  {
    name: 'incline-dilation-gap',
    group,
    title: 'incline: gap under the box with μ = 0.2 after 1 s, μ h v',
    unit: 'm',
    source: 'cone program: u_N = μ |u_T| − φ/h = 0',
    basis: 'the dilation gap follows the speed by a step: a h/v = 0.2 %, here 1 %',
    formulations: ['ccp'],
    run(formulation) {
      const { simulation } = followBox(formulation, 'slides', 1);
      const gaps = simulation.contacts().filter(({ bodyName2 }) => bodyName2 === 'slides');
      const expected = 0.2 * H * SLIDE;
      return { value: Math.max(...gaps.map(({ gap }) => gap)), expected, tolerance: 0.01 * expected };
    },
  },
  {
    name: 'incline-creep',
    group,
    title: 'incline: speed of the box with μ = 0.5 after 1 s: none under ccp, ε_v (1 − √(1 − tan a/μ)) under ipc',
    unit: 'm/s',
    source: 'exact cones; Li et al. (2020), f₁(y) = 2 y − y²',
    basis: 'ccp: tolerance of the solver, 1e-6 m/s; ipc: remaining transient, 1 % of ε_v',
    formulations: ['ccp', 'ipc'],
    run(formulation) {
      const { way: before } = followBox(formulation, 'holds', 0.9);
      const { way: after } = followBox(formulation, 'holds', 1);
      const isBarrier = formulation === 'ipc';
      const expected = isBarrier ? 1e-3 * (1 - Math.sqrt(1 - Math.tan(ANGLE) / 0.5)) : 0;
      return { value: (after - before) / 0.1, expected, tolerance: isBarrier ? 1e-5 : 1e-6 };
    },
  },
  {
    name: 'stack-forces',
    group,
    title: 'box-stack: sum of the vertical forces of all contacts of ten boxes of 4 kg at rest, m g (1 + 2 + … + 10)',
    unit: 'N',
    source: 'balance of forces',
    basis: 'remaining transient after 0.8 s: 1e-3 of the weights',
    formulations: ALL,
    run(formulation) {
      const expected = 55 * 4 * G;
      const simulation = advance(open('box-stack', formulation), 0.8);
      const value = average(simulation, 0.2, () => sumLoads(simulation));
      return { value, expected, tolerance: 1e-3 * expected };
    },
  },
  {
    name: 'arch-weight',
    group,
    title: 'arch: force on the ground, the weight of 15 blocks',
    unit: 'N',
    source: 'balance of forces',
    basis: 'remaining transient after 0.8 s: 1e-4 of the weight',
    formulations: ALL,
    run(formulation) {
      const expected = ARCH.weight;
      const simulation = advance(open('arch', formulation), 0.8);
      const value = average(simulation, 0.2, () => sumVerticalForces(simulation));
      return { value, expected, tolerance: 1e-4 * expected };
    },
  },
  {
    name: 'arch-thrust',
    group,
    title: 'arch: horizontal thrust of its feet, between the least and the largest that passes through all joints',
    unit: 'N',
    source: 'limit analysis of masonry without tension (Heyman 1995): corners of a polygon, arch-thrust.ts',
    basis:
      'half of the range: which thrust within it acts depends on how the arch came to rest; joints end where surfaces do, ± 1 mm of the softness or gap: 2 %',
    formulations: ALL,
    run(formulation) {
      const simulation = advance(open('arch', formulation), 0.8);
      const value = average(simulation, 0.2, () => {
        const feet = simulation.contactForces().filter(({ bodyName1 }) => bodyName1 === 'world');
        return feet.reduce((sum, { force }) => sum + Math.abs(force[0]), 0) / 2;
      });
      const [least, most] = findThrust(ARCH);
      return { value, expected: (least + most) / 2, tolerance: (most - least) / 2 + 0.02 * most };
    },
  },
  {
    name: 'gripper-grip',
    group,
    title:
      'gripper: normal forces of both fingers after 1 s, 2 k (q̂ − q), q̂ = 0.07 m (1 − e^(−t/0.15 s)), q where they touch',
    unit: 'N',
    source: 'balance of the position servos',
    basis:
      'the fingers stop at a penetration or gap of the surfaces: 2 k times 2 mm (mujoco), 30 µm (sap), 1 µm (ccp), d̂ = 1 mm (ipc); filter and dampers are of order one, 1e-3 of it',
    formulations: ALL,
    run(formulation) {
      const expected = 2 * GRIP * (reach(1) - TOUCH);
      const simulation = advance(open('gripper', formulation), 1);
      const fingers = simulation
        .contactForces()
        .filter(({ bodyName1, bodyName2 }) => `${bodyName1} ${bodyName2}`.includes('Finger'));
      const value = fingers.reduce((sum, { normalForce }) => sum + normalForce, 0);
      return { value, expected, tolerance: 2 * GRIP * NEAR[formulation] + 1e-3 * expected };
    },
  },
  {
    name: 'gripper-load',
    group,
    title: 'gripper: friction force on the cube while it is lifted, mean of 0.4 s less m Δv/Δt: its weight m g',
    unit: 'N',
    source: 'momentum of the cube',
    basis: 'tolerance of the solvers, 1e-6 m/s in a step of 2 ms: 1e-4 of the weight',
    formulations: ALL,
    run(formulation) {
      const mass = 0.5;
      const simulation = advance(open('gripper', formulation), 0.6);
      const before = velocityOf(simulation, 'cube')[2];
      const mean = average(simulation, 0.4, () => liftOf(simulation, 'cube'));
      // the speed at its end is that of its last step, known from the step after it less what that one adds
      const height = placeOf(simulation, 'cube')[2];
      takeStep(simulation);
      const next = (placeOf(simulation, 'cube')[2] - height) / simulation.timestep;
      const after = next - simulation.timestep * (liftOf(simulation, 'cube') / mass - G);
      const value = mean - (mass * (after - before)) / 0.4;
      return { value, expected: mass * G, tolerance: 1e-4 * mass * G };
    },
  },
  {
    name: 'gripper-slip',
    group,
    title: 'gripper: how far the cube slips in the fingers in the last 0.4 s',
    unit: 'm',
    source: "Coulomb's law: nothing slips inside the cone",
    basis:
      'creep for 0.4 s: mujoco at most (1 − d)/d g/(B ratio) with d = 0.9, B = 2/(0.02 s d) and ratio 10; sap σ g h; ccp its tolerance, 1e-6 m/s; ipc ε_v (1 − √(1 − m g/(μ N)))',
    formulations: ALL,
    run(formulation) {
      const simulation = advance(open('gripper', formulation), 0.6);
      const offset = (): number => placeOf(simulation, 'cube')[2] - placeOf(simulation, 'hand')[2];
      const before = offset();
      const grip = 2 * GRIP * (reach(0.6) - TOUCH);
      advance(simulation, 0.4);
      const creep = {
        mujoco: ((0.1 / 0.9) * G * (0.02 * 0.9)) / 2 / 10,
        sap: 1e-3 * G * H,
        ccp: 1e-6,
        ipc: 1e-3 * (1 - Math.sqrt(1 - (0.5 * G) / (0.8 * grip))) + 1e-5,
      }[formulation];
      return { value: offset() - before, expected: 0, tolerance: 0.4 * creep };
    },
  },
  {
    name: 'gripper-weak',
    group,
    title:
      'gripper, keyframe `too weak`: height of the cube after 1 s, still on the ground, as 2 μ k (0.041 − 0.038) m < m g',
    unit: 'm',
    source: "Coulomb's law at both fingers",
    basis: 'softness or gap under the cube, 2 mm',
    formulations: ALL,
    run: (formulation) => ({
      value: placeOf(advance(open('gripper', formulation, 'too weak'), 1), 'cube')[2],
      expected: 0.05,
      tolerance: 2e-3,
    }),
  },
  {
    name: 'barkour-weight',
    group,
    title: 'Barkour quadruped of the Menagerie, standing: mean force on its feet in 0.5 s less Δp/Δt, its weight',
    unit: 'N',
    source: 'momentum; 14.4965 kg is the sum of the masses of its MJCF',
    basis: 'tolerance of the solvers, 1e-6 m/s in a step of 1 ms: 1e-4 of the weight',
    formulations: ALL,
    isMissing: () => (existsSync(ROBOT) ? undefined : 'there are no models beside the repository (NEXDYN_MODELS)'),
    run(formulation) {
      const simulation = open(ROBOT, formulation);
      const mean = average(simulation, 0.5, () => sumVerticalForces(simulation));
      const mass = 14.4965;
      const value = mean - simulation.momentum().linear[2] / 0.5;
      return { value, expected: mass * G, tolerance: 1e-4 * mass * G };
    },
  },
];

/** Vertical force of all contacts on a body, N. */
function liftOf(simulation: Simulation, body: string): number {
  return simulation.contactForces().reduce((sum, { bodyName1, bodyName2, force }) => {
    if (bodyName2 === body) return sum + force[2];
    return bodyName1 === body ? sum - force[2] : sum;
  }, 0);
}
