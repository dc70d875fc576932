/**
 * A tower of boxes that is dropped as a whole. Its boxes have no velocity relative to each other until the lowest one lands; then all
 * have to stop in the same step. Boxes that are not stopped there are found in each other a step later, and thrown apart.
 */
import { type Body, compileModel, type FormulationId, Ruler, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const BOXES = 8;
const SIDE = 0.2;
/** Of each box, kg. */
const MASS = 8;

function createTower(drop: number, gap: number, h: number): Scene {
  const bodies = Array.from(
    { length: BOXES },
    (_, n): Body => ({
      name: `box ${n}`,
      position: [0.003 * n, 0, SIDE / 2 + drop + (SIDE + gap) * n],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [SIDE / 2, SIDE / 2, SIDE / 2], mass: MASS }],
    }),
  );
  return { format: 'nexdyn-scene', version: 1, options: { timestep: h }, shapes: [{ kind: 'plane' }], bodies };
}

function drop(formulation: FormulationId, scene: Scene): { gain: number; start: number; depth: number; top: number } {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  const ruler = new Ruler(simulation);
  const start = simulation.energy().total;
  let lowest = start;
  let gain = 0;
  let depth = 0;
  for (let n = 0; n < Math.round(1.2 / simulation.timestep); n++) {
    expect(simulation.step().status).toBe('converged');
    depth = Math.max(depth, ruler.measure().penetration);
    const { total } = simulation.energy();
    lowest = Math.min(lowest, total);
    gain = Math.max(gain, total - lowest);
  }
  return { gain, start, depth, top: simulation.pose(`box ${BOXES - 1}`).position[2] };
}

describe.each([
  ['1/60 s', 1 / 60],
  ['1/240 s', 1 / 240],
])('a step of %s', (_, h) => {
  describe.each([
    [0, 5e-4],
    [0.3, 6e-3],
    [1, 2e-3],
    [1, 0.02],
  ])('from %s m with gaps of %s m', (height, gap) => {
    const scene = createTower(height, gap, h);

    // rigid contact without restitution: energy only falls, within what its tolerance and the friction of slanted faces leave
    test('ccp: no overlap and no energy', () => {
      const { gain, start, depth } = drop('ccp', scene);
      expect(depth).toBeLessThan(1e-5);
      expect(gain).toBeLessThan(1e-5 * start);
    });

    // springs k with dissipation time τ: the slowest mode ω = 2 √(4k/m) sin(π/(4n + 2)) has ζ = ωτ/2 and returns e² of its energy
    test('sap: what springs return', () => {
      const omega = 2 * Math.sqrt(4e6 / MASS) * Math.sin(Math.PI / (4 * BOXES + 2));
      const zeta = (omega * 0.01) / 2;
      const returned = Math.exp((-2 * Math.PI * zeta) / Math.sqrt(1 - zeta * zeta));
      const { gain, start, depth } = drop('sap', scene);
      expect(gain).toBeLessThan(2 * returned * start);
      // the speed of the fall over the frequency of a box on its four springs
      expect(depth).toBeLessThan(Math.sqrt(2 * 9.81 * (height + BOXES * gap) + 1) / Math.sqrt(4e6 / MASS));
    });
  });
});
