/**
 * A shape that the engine does not have: a torus, given by its signed distance. Importing this file lets scenes use it:
 *
 *   npx nexdyn run examples/shapes/torus-slope.json --import ./examples/shapes/torus.mjs
 *
 * The ring of radius R lies in the xy plane of the shape, the tube has radius r:
 *
 *   φ(x, y, z) = √((√(x² + y²) − R)² + z²) − r
 */
import { registerShape, schema } from '@nexdyn/engine';

const length = schema.number({ exclusiveMinimum: 0 });

registerShape({
  kind: 'torus',
  fields: { majorRadius: length, minorRadius: length },
  check: ({ majorRadius, minorRadius }) =>
    minorRadius < majorRadius ? undefined : 'the tube must be thinner than the ring',
  bounds: ({ majorRadius: R, minorRadius: r }) => [
    [-R - r, -R - r, -r],
    [R + r, R + r, r],
  ],
  distance:
    ({ majorRadius: R, minorRadius: r }) =>
    (x, y, z) => {
      const away = Math.sqrt(x * x + y * y) - R;
      return Math.sqrt(away * away + z * z) - r;
    },
});
