/** The barrier keeps a prism around a cylinder: by the ruler, which measures the round cylinder, nothing intersects however it turns and is loaded. */
import { compileModel, Ruler, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const RADIUS = 0.3;

test('ipc: a heavy roller between a floor and a block never enters either', () => {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 1 / 240, formulation: 'ipc' },
    shapes: [{ kind: 'plane', friction: 1 }],
    bodies: [-0.5, 0.5].map((x) => ({
      name: `roller ${x}`,
      position: [x, 0, RADIUS + 0.001],
      orientation: [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'cylinder', radius: RADIUS, halfLength: 0.05, density: 1000, friction: 1 }],
    })),
  };
  scene.bodies!.push({
    name: 'load',
    position: [0, 0, 2 * RADIUS + 0.302],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', halfSize: [1.2, 0.3, 0.3], density: 4000, friction: 1 }],
  });
  const simulation = new Simulation(compileModel(scene));
  const speed = 0.3;
  const { velocity } = simulation.state;
  for (const first of [0, 6]) {
    velocity[first] = speed;
    // about y in the world, −z in the roller
    velocity[first + 5] = -speed / RADIUS;
  }
  velocity[12] = 2 * speed;
  const ruler = new Ruler(simulation);
  let least = Infinity;
  for (let k = 0; k < 60; k++) {
    simulation.step(1);
    expect(simulation.report.status).toBe('converged');
    least = Math.min(least, simulation.report.minimumDistance!);
    expect(ruler.measure().penetration).toBe(0);
  }
  // nearer than a prism inside the cylinder could tell
  expect(least).toBeGreaterThan(0);
  expect(least).toBeLessThan(RADIUS * (1 - Math.cos(Math.PI / 48)));
});
