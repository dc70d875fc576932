// The falling boxes of piles.mjs as JSON for piles-drake.py: node benchmarks/piles-drake.mjs 100 > pile.json
// Compile the packages first (npm run build).
import { compileModel } from '@nexdyn/engine';
import { loadScene, memoryFiles } from '@nexdyn/formats';
import { writeFallingBoxes } from '../packages/cli/dist/bench/generated-mjcf.js';

const size = Number(process.argv[2] ?? 100);
const { scene } = loadScene('pile.xml', { files: memoryFiles({ 'pile.xml': writeFallingBoxes(size) }) });
const { options, shape } = compileModel(scene, { formulation: 'sap' });
const { stiffness, dissipation, nearRigid } = options.sap;
const boxes = scene.bodies.map(({ position, orientation = [1, 0, 0, 0], shapes }) => ({
  position,
  orientation,
  halfSize: shapes[0].halfSize,
}));
const pile = { h: options.timestep, friction: shape.friction[0], density: 1000, stiffness, dissipation, nearRigid };
console.log(JSON.stringify({ ...pile, boxes }));
