/** Chains and nets of rings that nothing but contact holds together: iterations where loads are far beyond weights. */
import { type Body, compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const PITCH = 0.072;

/** Rings of 16 by 8 vertices. */
function createScene(rings: readonly Pick<Body, 'position' | 'orientation'>[], isHeld: (n: number) => boolean): Scene {
  const [major, minor, around, across] = [0.05, 0.012, 16, 8];
  const vertices: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [turn, tilt] = [(2 * Math.PI * i) / around, (2 * Math.PI * (j + 0.5)) / across];
      const q = major + minor * Math.cos(tilt);
      vertices.push(q * Math.cos(turn), q * Math.sin(turn), minor * Math.sin(tilt));
      const at = (a: number, b: number): number => ((i + a) % around) * across + ((j + b) % across);
      faces.push(at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1));
    }
  }
  const ring: Shape = { kind: 'triangleMesh', mesh: 'ring', density: 2000, friction: 0.3 };
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.01 },
    meshes: [{ name: 'ring', vertices, faces, inertia: 'exact' }],
    shapes: rings.filter((_, n) => isHeld(n)).map((pose) => ({ ...ring, ...pose }) as Shape),
    bodies: rings.flatMap((pose, n) =>
      isHeld(n) ? [] : [{ name: `ring${n}`, ...pose, joints: [{ kind: 'free' }], shapes: [ring] } as Body],
    ),
  };
}

/** Mean of the iterations of converged steps. */
function run(scene: Scene, steps: number): number {
  const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
  let iterations = 0;
  for (let n = 0; n < steps; n++) {
    const report = simulation.step();
    expect(report.status).toBe('converged');
    expect(report.minimumDistance).toBeGreaterThan(0);
    iterations += report.iterations;
  }
  return iterations / steps;
}

const QUARTER = Math.SQRT1_2;

test('a chain of 40 rings between two others, level, swings down and is held', () => {
  const rings = Array.from(
    { length: 40 },
    (_, n): Pick<Body, 'position' | 'orientation'> => ({
      position: [PITCH * n, 0, 1],
      orientation: n % 2 === 1 ? [QUARTER, QUARTER, 0, 0] : [1, 0, 0, 0],
    }),
  );
  expect(
    run(
      createScene(rings, (n) => n === 0 || n === 39),
      60,
    ),
  ).toBeLessThan(15);
});

test('a net of 6 by 6 rings and 60 links, held at its corners', () => {
  const rings: Pick<Body, 'position' | 'orientation'>[] = [];
  const corners = new Set<number>();
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      if (i % 5 === 0 && j % 5 === 0) corners.add(rings.length);
      const [x, y] = [2 * PITCH * i, 2 * PITCH * j];
      rings.push({ position: [x, y, 1] });
      if (i < 5) rings.push({ position: [x + PITCH, y, 1], orientation: [QUARTER, QUARTER, 0, 0] });
      if (j < 5) rings.push({ position: [x, y + PITCH, 1], orientation: [QUARTER, 0, QUARTER, 0] });
    }
  }
  expect(
    run(
      createScene(rings, (n) => corners.has(n)),
      60,
    ),
  ).toBeLessThan(15);
}, 120_000);
