/**
 * Equalities that are open at the start, as welds of grippers to mocap bodies far away: they close at d/T, T = 20 ms, and not within a
 * step, which would throw what they hold at d/h.
 */
import { type Body, compileModel, type Scene, type Shape, Simulation, type Vec3 } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const H = 0.002;
/** s. */
const CLOSING_TIME = 0.02;

function start(bodies: Body[], held: string): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H },
    bodies,
    equalities: [
      { kind: 'weld', body1: 'target', body2: held, relativePose: { position: [0, 0, 0], orientation: [1, 0, 0, 0] } },
    ],
  };
  return new Simulation(compileModel(scene, { formulation: 'ipc' }));
}

const target = (position: Vec3): Body => ({ name: 'target', position, mocap: true });

test('a weld that is open by 0.3 m closes with the time constant', () => {
  const cube: Shape = { kind: 'box', halfSize: [0.05, 0.05, 0.05], density: 1000 };
  const body: Body = { name: 'cube', joints: [{ kind: 'free' }], shapes: [cube] };
  const simulation = start([body, target([0.3, 0, 0])], 'cube');
  let open = 0.3;
  for (let n = 0; n < 100; n++) {
    expect(simulation.step().status).toBe('converged');
    // the end is linear, at 0.02 m/s
    open = Math.max(0, open - H * Math.max(0.02, open / CLOSING_TIME));
    expect(Math.abs(0.3 - simulation.pose('cube').position[0] - open)).toBeLessThan(2e-6);
  }
  expect(open).toBe(0);
});

test('an arm of six hinges is led to a target 0.3 m away, at another angle', () => {
  const axes: Vec3[] = [
    [0, 0, 1],
    [0, 1, 0],
    [0, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 0, 0],
  ];
  const turns = [0, -0.96, 1.16, 0, -0.3, 0];
  let arm: Body | undefined;
  for (let k = axes.length - 1; k >= 0; k--) {
    const half = 0.5 * turns[k]!;
    arm = {
      name: `link ${k}`,
      position: k === 0 ? [0, 0, 0] : [0.12, 0, 0],
      orientation: [Math.cos(half), ...axes[k]!.map((x) => x * Math.sin(half))] as [number, number, number, number],
      joints: [{ kind: 'hinge', axis: axes[k]!, frictionLoss: 2 }],
      shapes: [{ kind: 'sphere', radius: 0.04, position: [0.06, 0, 0], mass: 0.5 }],
      ...(arm && { bodies: [arm] }),
    };
  }
  const simulation = start([arm!, target([0.35, 0.25, 0.1])], 'link 5');
  for (let n = 0; n < 100; n++) expect(simulation.step().status).toBe('converged');
  simulation.pose('link 5').position.forEach((x, k) => {
    expect(Math.abs(x - [0.35, 0.25, 0.1][k]!)).toBeLessThan(1e-5);
  });
});
