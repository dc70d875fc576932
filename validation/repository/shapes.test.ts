/** What a new kind of shape costs: no file of the engine from outside, and nowhere a switch over kinds but in their own files. */
import { fileURLToPath } from 'node:url';
import { compileModel, registerShape, Simulation, schema, validateScene } from '@nexdyn/engine';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

const KINDS = 'plane|heightField|sphere|capsule|ellipsoid|cylinder|box|convexMesh|triangleMesh|signedDistance';
const ASKS = new RegExp(`\\bSHAPE\\.(${KINDS})\\b|\\bkind [=!]== '(${KINDS})'|\\bcase '(${KINDS})':`);
/** The files of the kinds themselves. */
const SPECS = 'packages/engine/src/geometry/shapes/';

/** Files and folders that name kinds, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/engine/src/geometry/pair/closed-forms.ts': 'the table of exact methods for pairs',
  // the same words for other things
  'packages/engine/src/geometry/tetrahedra/soft-mesh.ts': 'kinds of soft meshes',
  'packages/formats/src/mjcf/actuator-record.ts': 'an actuator that is called cylinder',
  'packages/formats/src/contact-problem/': 'kinds of bounds in a contact problem',
  // drawings: solids that a viewer draws, see describePicture
  'packages/formats/src/recording/': 'solids of a picture',
  'packages/cli/src/compare/report/polygons.ts': 'solids of a picture',
  'packages/studio/src/session/scene-drawing.ts': 'solids of a picture',
  'packages/studio/src/view3d/': 'solids of a picture',
};

const sources = listFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/).filter(
  (path) => !/\.test\.tsx?$|\/src\/(testing|browser)\//.test(path) && !path.startsWith(SPECS),
);
const asking = sources.filter((path) => ASKS.test(readText(path).replace(/\/\*[\s\S]*?\*\//g, '')));

test('nothing but the files of the kinds asks which kind a shape is', () => {
  const places = Object.keys(EXCEPTIONS);
  expect(asking.filter((path) => !places.some((place) => path.startsWith(place)))).toEqual([]);
  // an exception that is no longer needed goes
  expect(places.filter((place) => !asking.some((path) => path.startsWith(place)))).toEqual([]);
});

describe('a primitive of the engine', () => {
  const ENGINE = 'packages/engine/src/';
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
  const changes: Record<string, (text: string) => string> = {
    'geometry/shapes/spheroid.ts': () => spec,
    'geometry/shapes/shape-table.ts': (text) =>
      `import { spheroid } from './spheroid.ts';\n${text.replace('  box,\n', '  box,\n  spheroid,\n')}`,
    'scene/shape-kinds.ts': (text) =>
      text.replace(
        '  box: { name:',
        "  spheroid: { name: 'SpheroidShape', fields: { radius: positive, halfHeight: positive } },\n  box: { name:",
      ),
  };
  const bundle = async (): Promise<typeof import('@nexdyn/engine')> => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      plugins: [
        {
          name: 'changed-files',
          enforce: 'pre',
          resolveId: (id) => (id.endsWith('/spheroid.ts') ? `${root}${ENGINE}geometry/shapes/spheroid.ts` : undefined),
          load(id) {
            const path = id.replace(root + ENGINE, '');
            return changes[path]?.(path.endsWith('spheroid.ts') ? '' : readText(ENGINE + path));
          },
        },
      ],
      build: {
        write: false,
        minify: false,
        target: 'es2022',
        lib: { entry: `${root}${ENGINE}index.ts`, formats: ['es'], fileName: 'engine' },
        rollupOptions: { output: { codeSplitting: false } as object },
      },
    });
    const [{ output }] = built as [{ output: [{ code: string }] }];
    return import(/* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
  };

  test('costs three files: its own, a line of the table, its fields in a scene', async () => {
    expect(Object.keys(changes)).toHaveLength(3);
    const engine = await bundle();
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
      simulation.step(100);
      const ray = simulation.castRay([0, 0, 5], [0, 0, -1], { ignoreBody: 3 });
      return { places: [...simulation.bodyPosition], ray: ray?.distance, contacts: simulation.contacts().length };
    };
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc']) {
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

describe('a shape from outside', () => {
  const KIND = 'roundedCross';
  // two bars along x and y with round edges: the nearer of two distances is that of their union outside, and a bound inside
  const bar = (x: number, y: number, z: number, length: number): number => {
    const q = [Math.abs(x) - length, Math.abs(y) - 0.02, Math.abs(z) - 0.02];
    const outside = Math.hypot(...q.map((value) => Math.max(value, 0)));
    return outside + Math.min(Math.max(...q), 0) - 0.01;
  };
  registerShape({
    kind: KIND,
    fields: { length: schema.number({ exclusiveMinimum: 0.05 }) },
    bounds: ({ length }: { length: number }) => [
      [-length - 0.01, -length - 0.01, -0.03],
      [length + 0.01, length + 0.01, 0.03],
    ],
    distance:
      ({ length }: { length: number }) =>
      (x: number, y: number, z: number) =>
        Math.min(bar(x, y, z, length), bar(y, x, z, length)),
  } as never);

  test.each(['mujoco', 'sap', 'ccp', 'ipc'] as const)('falls and comes to rest under %s', (formulation) => {
    const scene = validateScene({
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.004 },
      shapes: [{ kind: 'plane' }],
      bodies: [
        {
          position: [0, 0, 0.06],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: KIND, length: 0.1, density: 500 }],
        },
      ],
    });
    const simulation = new Simulation(compileModel(scene, { formulation }));
    while (simulation.time < 0.8) simulation.step();
    const height = simulation.bodyPosition[5]!;
    // half its thickness, and under ipc the margin that its samples keep
    expect(height).toBeGreaterThan(0.029);
    expect(height).toBeLessThan(formulation === 'ipc' ? 0.05 : 0.031);
  });

  test('changes no file of the packages', () => {
    expect(listFiles(/^packages\//).filter((path) => readText(path).includes(KIND))).toEqual([]);
  });
});
