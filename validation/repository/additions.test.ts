/** What an addition to the engine costs: each is made, counted and run. */

import { compileModel, registerTerm, Simulation, validateScene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import '../../examples/extensions/hertz-contact.js';
import { takeCases } from '../../scripts/long-run.ts';
import { type Changes, loadChangedEngine } from './changed-engine.ts';
import { listFiles, readText } from './source-files.ts';

/** What the blocks below add to one engine: loading one takes seconds. */
const additions: Changes = {};
let changed: ReturnType<typeof loadChangedEngine> | undefined;
const loadEngine = (): ReturnType<typeof loadChangedEngine> => (changed ??= loadChangedEngine(additions));

describe('a primitive shape', () => {
  // a spheroid, which is an ellipsoid with two equal axes, with nothing but a support function to the methods for convex shapes
  const spec = `
import { writeLocalBox } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { ellipsoidMass } from '../primitive-mass.ts';
import { castEllipsoid } from '../ray/cast-primitive.ts';
import { createEllipsoidField } from '../signed-distance/ellipsoid-field.ts';
export const spheroid = {
  kind: 'spheroid',
  core: CORE.smooth,
  isGround: false,
  isEndless: false,
  isPlain: false,
  data: undefined,
  picture: undefined,
  sizes: ({ radius, halfHeight }) => [radius, radius, halfHeight],
  support(out, [a, , c], [x, y, z]) {
    const h = Math.hypot(a * x, a * y, c * z);
    out.set(h > 0 ? [(a * a * x) / h, (a * a * y) / h, (c * c * z) / h] : [0, 0, 0]);
  },
  mass: ({ radius, halfHeight }, isShell) => ellipsoidMass(radius, radius, halfHeight, isShell),
  writeBounds(out, o, shape, inflate) {
    const [a, b, c] = shape.size;
    writeLocalBox(out, o, Float64Array.of(-a, -b, -c, a, b, c), shape, inflate);
  },
  castRay: (hit, ray, { size }) => castEllipsoid(hit, ray, size),
  field: ([a, b, c]) => createEllipsoidField(a, b, c),
};`;
  const changes: Changes = {
    'geometry/shapes/spheroid.ts': spec,
    'geometry/shapes/shape-table.ts': (text) =>
      `import { spheroid } from './spheroid.ts';\n${text.replace('  box,\n', '  box,\n  spheroid,\n')}`,
    'scene/shape-kinds.ts': (text) =>
      text.replace(
        '  box: { name:',
        "  spheroid: { name: 'SpheroidShape', fields: { radius: positive, halfHeight: positive } },\n  box: { name:",
      ),
  };
  Object.assign(additions, changes);

  test('costs three files: its own, a line of the table, its fields in a scene', async () => {
    expect(Object.keys(changes)).toHaveLength(3);
    const engine = await loadEngine();
    const fall = (formulation: string, shape: object) => {
      const scene = engine.validateScene({
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.002 },
        shapes: [{ kind: 'plane' }],
        bodies: [
          {
            position: [0, 0, 0.115],
            orientation: [0.9, 0.3, 0.1, 0],
            joints: [{ kind: 'free' }],
            shapes: [{ ...shape, density: 500 }],
          },
          {
            position: [0.21, 0.02, 0.1],
            joints: [{ kind: 'free' }],
            shapes: [{ kind: 'capsule', radius: 0.1, halfLength: 0.05 }],
          },
          { position: [0, 0, 0.34], joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }] },
        ],
      });
      const simulation = new engine.Simulation(engine.compileModel(scene, { formulation }));
      simulation.step(40);
      const ray = simulation.castRay([0, 0, 5], [0, 0, -1], { ignoreBody: 3 });
      return { places: [...simulation.bodyPosition], ray: ray?.distance, contacts: simulation.contacts().length };
    };
    for (const formulation of takeCases(['mujoco', 'sap', 'ccp', 'ipc'], 3)) {
      const own = fall(formulation, { kind: 'spheroid', radius: 0.1, halfHeight: 0.13 });
      const like = fall(formulation, { kind: 'ellipsoid', radii: [0.1, 0.1, 0.13] });
      expect(own.contacts).toBeGreaterThan(0);
      // under ipc both are polyhedra with other vertices, inside by at most 0.017 of the largest half axis
      const tolerance = formulation === 'ipc' ? 2 * 0.017 * 0.13 : 1e-6;
      const apart = own.places.map((x, i) => Math.abs(x - like.places[i]!));
      expect(Math.max(...apart), formulation).toBeLessThan(tolerance);
      expect(Math.abs(own.ray! - like.ray!), formulation).toBeLessThan(tolerance);
    }
    const scene = { shapes: [{ kind: 'spheroid', radius: 0.1, halfHeight: 0.13, contact: 'none' }] };
    const model = engine.compileModel(engine.validateScene({ format: 'nexdyn-scene', version: 1, ...scene }));
    expect(engine.describePicture(model, 0)?.surface?.triangles.length).toBe(3 * 512);
  });
});

describe('a formulation', () => {
  const source = readText('examples/extensions/hertz-contact.js')
    .replace(
      /import \{[^}]*\} from '@nexdyn\/engine';/,
      [
        "import { CONTACT_MODE } from '../../collision/contact-set.ts';",
        "import * as schema from '../../scene/schema.ts';",
        "import { readOptions, registerFormulation } from '../formulation-table.ts';",
      ].join('\n'),
    )
    .replace("'@nexdyn/engine/solvers'", "'../../solvers.ts'");
  const changes: Changes = {
    'formulation/hertz/provide.ts': source,
    'formulation/built-in.ts': (text) => `${text}import './hertz/provide.ts';\n`,
  };
  Object.assign(additions, changes);

  test('costs its folder and one line, and does what it does from outside', async () => {
    const outside = Object.keys(changes).filter((path) => !path.startsWith('formulation/hertz/'));
    expect(outside).toEqual(['formulation/built-in.ts']);
    const engine = await loadEngine();
    const scene = JSON.parse(readText('scenes/box-stack.json'));
    const own = new engine.Simulation(engine.compileModel(engine.validateScene(scene), { formulation: 'hertz' }));
    const added = new Simulation(compileModel(validateScene(scene), { formulation: 'hertz' }));
    own.step(50);
    added.step(50);
    expect([...own.bodyPosition]).toEqual([...added.bodyPosition]);
    expect(own.contacts().length).toBeGreaterThan(0);
  });
});

test('a term costs one file, which registers it', () => {
  // ψ = −f z of the first body: a force upwards that carries its weight
  registerTerm({
    kind: 'counterweight',
    create: (_, parameters) => {
      const { name, force } = parameters as unknown as { name: string; force: number };
      return {
        name,
        value: ({ bodyPosition }) => -force * bodyPosition[5]!,
        addGradient: (_x, out) => out.addBody(1, 0, 0, -force, 0, 0, 0),
      };
    },
  });
  for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc']) {
    const scene = validateScene({
      format: 'nexdyn-scene',
      version: 1,
      bodies: [{ position: [0, 0, 1], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1, mass: 2 }] }],
      terms: [{ kind: 'counterweight', force: 2 * 9.81 }],
    });
    const simulation = new Simulation(compileModel(scene, { formulation }));
    simulation.step(20);
    // free fall would be 7.8 mm
    expect(simulation.bodyPosition[5], formulation).toBeCloseTo(1, 9);
  }
  expect(listFiles(/^packages\//).filter((path) => readText(path).includes("'counterweight'"))).toEqual([]);
});
