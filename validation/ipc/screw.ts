/**
 * A bolt in a nut, without friction: gravity alone turns it down,
 *   dz = p dφ/2π,   (m + I (2π/p)²) z̈ = m g
 * p lead, m; φ angle about the axis; m mass, kg; I moment about the axis, kg m².
 */
import type { Simulation } from '@nexdyn/engine';
import { expect } from 'vitest';
import { advance, body, build, G, place } from './checked-scene.ts';
import { createBolt, createNut, type Thread } from './thread-mesh.ts';

const LEAD = 0.05;
const DHAT = 1e-4;
const CLEARANCE = { axial: 5e-4, radial: 2e-3 };
const H = 0.01;

/** The screw with as many corners in a turn; the bolt has six turns, the nut two. */
export function buildScrew(segments: number): Simulation {
  const thread: Thread = { lead: LEAD, rootRadius: 0.08, crestRadius: 0.1, flank: 3e-3, segments };
  const meshes = [createBolt('bolt', thread, 6), createNut('nut', thread, 2, CLEARANCE)];
  return build(
    {
      meshes,
      shapes: [{ kind: 'triangleMesh', mesh: 'nut', friction: 0 }],
      bodies: [body('bolt', [0, 0, 0], { kind: 'triangleMesh', mesh: 'bolt', friction: 0 })],
    },
    H,
    { barrierDistance: DHAT },
  );
}

/** Lets the screw go for some steps, with the pitch relation and the acceleration asked for. */
export function runScrew(simulation: Simulation, steps: number): void {
  const { velocity } = simulation.state;
  const rest = place(simulation, 1)[2];
  let angle = 0;
  // of the turning: along the axis the bolt also rattles in its play
  const speeds: number[] = [];
  advance(simulation, steps, () => {
    angle += H * velocity[5]!;
    speeds.push((LEAD * velocity[5]!) / (2 * Math.PI));
    // the bolt is within its play: gaps of flanks, and what a shift to the side and a tilt leave of them
    const drift = place(simulation, 1)[2] - rest - (LEAD * angle) / (2 * Math.PI);
    expect(drift).toBeLessThan(CLEARANCE.axial);
    expect(drift).toBeGreaterThan(-CLEARANCE.axial - slope * CLEARANCE.radial);
  });
  const { mass, moment } = measureBolt(simulation);
  const acceleration = G / (1 + (moment * (2 * Math.PI) ** 2) / (LEAD ** 2 * mass));
  const first = Math.floor(0.2 * steps);
  const mean = (speeds.at(-1)! - speeds[first]!) / (H * (steps - 1 - first));
  // corners of the facets that meet take a little
  expect(-mean / acceleration).toBeLessThan(1.01);
  expect(-mean / acceleration).toBeGreaterThan(0.97);
  expect(-angle).toBeGreaterThan(0.8 * ((Math.PI * acceleration * (H * steps) ** 2) / LEAD));
}

/** Way of a flank along the axis over its depth. */
const slope = 3e-3 / 0.02;

function measureBolt({ model }: Simulation): { mass: number; moment: number } {
  const { mass, inertiaMoments } = model.body;
  // the long axis of the bolt has its least moment, or its greatest: the one that differs from two alike
  const [a, b, c] = Array.from(inertiaMoments.subarray(3, 6)).sort((x, y) => x - y) as [number, number, number];
  return { mass: mass[1]!, moment: b - a < c - b ? c : a };
}
