/** What a new kind of shape costs: no file of the engine from outside, and nowhere a switch over kinds but in their own files. */
import { compileModel, registerShape, Simulation, schema, validateScene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun, takeCases } from '../../scripts/long-run.ts';
import { listFiles, readText } from './source-files.ts';

const KINDS = 'plane|heightField|sphere|capsule|ellipsoid|cylinder|box|convexMesh|triangleMesh|signedDistance';
const ASKS = new RegExp(`\\bSHAPE\\.(${KINDS})\\b|\\bkind [=!]== '(${KINDS})'|\\bcase '(${KINDS})':`);
/** The files of the kinds themselves. */
const SPECS = 'packages/engine/src/geometry/shapes/';

/** Files and folders that name kinds, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/engine/src/geometry/pair/closed-forms.ts': 'the table of exact methods for pairs',
  'packages/engine/src/collision/contact-motion.ts': 'how contact points of pairs with a formula move with the bodies',
  'packages/engine/src/contact/contact-adjoint.ts': 'rods on planes, whose two points have a formula of their own',
  'packages/formats/src/mjcf/write/write-shape.ts': 'the words that MJCF has for each kind',
  // the same words for other things
  'packages/engine/src/geometry/tetrahedra/soft-mesh.ts': 'kinds of soft meshes',
  'packages/formats/src/mjcf/actuator-record.ts': 'an actuator that is called cylinder',
  'packages/formats/src/contact-problem/': 'kinds of bounds in a contact problem',
  'packages/formats/src/mjcf/flex/': 'kinds of flexes and cables',
  'packages/formats/src/picture/drawn-part.ts': 'kinds of solids in pictures',
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

  test.each(takeCases(['sap', 'mujoco', 'ccp', 'ipc'] as const, 4))(
    'falls and comes to rest under %s',
    (formulation) => {
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
      while (simulation.time < (isLongRun ? 0.8 : 0.4)) simulation.step();
      const height = simulation.bodyPosition[5]!;
      // half its thickness, and under ipc the margin that its samples keep
      expect(height).toBeGreaterThan(0.029);
      expect(height).toBeLessThan(formulation === 'ipc' ? 0.05 : 0.031);
    },
  );

  test('changes no file of the packages', () => {
    expect(listFiles(/^packages\//).filter((path) => readText(path).includes(KIND))).toEqual([]);
  });
});
