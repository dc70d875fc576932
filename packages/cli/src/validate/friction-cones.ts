/**
 * Friction of the cones of `mujoco` over the direction of sliding: a pyramid of n edges, inscribed in the cone of Coulomb's law,
 * and the elliptic cone.
 *
 * A contact that slides at the angle δ from the nearest edge has the friction of that edge: μ N cos δ against the motion and
 * μ N sin δ across it, with δ at most π/n. Contacts are all but rigid here, so that neighbouring edges do not share the load.
 */
import type { MujocoOptions, PyramidEdges, Simulation, Vec3 } from '@nexdyn/engine';
import { formatMarkdownTable } from '../markdown-table.ts';
import { advance, ground, simulate, takeStep } from './case-scene.ts';

const MU = 0.5;
const RADIUS = 0.1;
/** m/s. */
const SPEED = 2;
/** Directions measured between two edges. */
const DIRECTIONS = 16;
const HARD = {
  friction: MU,
  mujoco: { solimp: [0.9999, 0.99999, 1e-3, 0.5, 2] as [number, number, number, number, number] },
};

/** Friction over μ times the normal force. */
export interface ConeFriction {
  /** Least part against the motion. */
  least: number;
  /** Largest part across the motion. */
  aside: number;
}

/** The extremes over all directions of sliding. Every sector between two edges is the same, so one is enough. */
export function measureConeFriction(mujoco: MujocoOptions, directions: number = DIRECTIONS): ConeFriction {
  const sector = (2 * Math.PI) / (mujoco.pyramidEdges ?? 4);
  const forces = Array.from({ length: directions }, (_, k) => slideAlong(mujoco, (k * sector) / directions));
  return {
    least: Math.min(...forces.map(([against]) => against)),
    aside: Math.max(...forces.map(([, across]) => Math.abs(across))),
  };
}

/** Impulses against the motion and across it, over μ times the normal impulse, of a ball kept at one velocity. */
function slideAlong(mujoco: MujocoOptions, angle: number): [number, number] {
  const simulation = createPuck(mujoco);
  advance(simulation, 0.2);
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  let against = 0;
  let across = 0;
  let normal = 0;
  for (let n = 0; n < 100; n++) {
    simulation.state.velocity[0] = SPEED * cosine;
    simulation.state.velocity[1] = SPEED * sine;
    takeStep(simulation);
    const [x = 0, y = 0, z = 0] = simulation.solverReadout().impulse;
    against -= x * cosine + y * sine;
    across += y * cosine - x * sine;
    normal += z;
  }
  return [against / (MU * normal), across / (MU * normal)];
}

/** A ball of 1 kg that slides and cannot turn. */
function createPuck(mujoco: MujocoOptions): Simulation {
  const slide = (axis: Vec3) => ({ kind: 'slide' as const, axis });
  return simulate(
    'mujoco',
    {
      options: { mujoco: { tolerance: 1e-12, ...mujoco } },
      shapes: [ground(HARD)],
      bodies: [
        {
          name: 'a',
          position: [0, 0, RADIUS],
          joints: [slide([1, 0, 0]), slide([0, 1, 0]), slide([0, 0, 1])],
          shapes: [{ kind: 'sphere', radius: RADIUS, mass: 1, ...HARD }],
        },
      ],
    },
    'joint',
  );
}

/** The table of friction over the direction of sliding, for pyramids and the elliptic cone. */
export function formatFrictionCones(): string {
  const edges: readonly PyramidEdges[] = [4, 8, 16];
  const rows = edges.map((pyramidEdges) => {
    const half = Math.PI / pyramidEdges;
    // many directions: the pull grows from an edge to near the middle, where the next edge takes over
    const { least, aside } = measureConeFriction({ cone: 'pyramidal', pyramidEdges }, 64);
    return formatRow(`pyramid, ${pyramidEdges} edges`, Math.cos(half), least, Math.sin(half), aside);
  });
  const { least, aside } = measureConeFriction({ cone: 'elliptic' });
  rows.push(formatRow('elliptic', 1, least, 0, aside));
  const headings = ['cone', 'cos(π/n)', 'least friction / μ', 'sin(π/n)', 'largest sideways pull / μ'];
  return `## Friction over the direction of sliding

The friction cones of \`mujoco\`: a ball of ${RADIUS} m slides at ${SPEED} m/s on nearly rigid contacts, in all directions. A pyramid of n edges brakes least halfway between two edges,
by μ cos(π/n). Off its edges it also pulls the ball sideways, by less than μ sin(π/n). An elliptic cone brakes by μ in every direction and does not pull sideways.

${formatMarkdownTable(headings, rows, (column) => column > 0)}`;
}

function formatRow(cone: string, ...values: number[]): string[] {
  return [cone, ...values.map((value) => Math.abs(value).toFixed(4))];
}
