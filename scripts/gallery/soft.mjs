// Scenes with bodies that deform, and with contact by pressure.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../generated-file.mjs';
import { addHand, liftState } from './hand.mjs';
import { contactScene, floor, red, silver, steel, teal } from './stage.mjs';

const { module } = await runnerImport(join(root, 'packages/engine/src/geometry/tetrahedra/box-mesher.ts'));

/** A scene whose time step suits soft bodies. */
function softScene(name, description, options = {}) {
  return contactScene(name, description, { formulation: 'sap', timestep: 0.01, ...options }).material('rubber', {
    friction: 0.9,
  });
}

/** Numbers of the vertices of a soft box that satisfy a condition, in its own frame. */
function listVertices(halfSize, cells, holds) {
  const { vertices } = module.meshBox(halfSize, cells);
  return Array.from({ length: vertices.length / 3 }, (_, v) => v).filter((v) =>
    holds(...vertices.slice(3 * v, 3 * v + 3)),
  );
}

export function cantilever() {
  const [halfSize, cells] = [
    [0.4, 0.04, 0.04],
    [16, 2, 2],
  ];
  const s = softScene(
    'Cantilever',
    'A rubber beam sags and vibrates; stress is highest at the wall. Ctrl and drag to pull its tip.',
  );
  s.plane('floor', { color: floor });
  s.box('wall', { position: [-0.44, 0, 0.5], halfSize: [0.04, 0.14, 0.14], color: steel, contact: 'none' });
  s.softBody('beam', {
    position: [0, 0, 0.5],
    mesh: { kind: 'box', halfSize, cells },
    material: 'rubber',
    contact: 'point',
    pinned: listVertices(halfSize, cells, (x) => x < -halfSize[0] + 1e-9),
    elasticity: { youngsModulus: 4e6, poissonRatio: 0.4, density: 1000, stiffnessDamping: 0.004 },
    color: [0.18, 0.62, 0.56, 1],
  });
  return s.build();
}

export function softPress() {
  const s = softScene(
    'Soft ball under a press',
    'A plate of 3 kg lands on a rubber ball. The ball bulges, and colours show the stress.',
  );
  s.plane('floor', { color: floor, material: 'rubber' });
  for (const side of [-1, 1])
    s.cylinder({ from: [0.2 * side, 0, 0], to: [0.2 * side, 0, 0.5], radius: 0.012, color: silver, contact: 'none' });
  s.body('plate', { position: [0, 0, 0.3] })
    .slide('guide', { axis: [0, 0, 1], damping: 2 })
    .box({ halfSize: [0.24, 0.12, 0.015], mass: 3, material: 'rubber', color: steel });
  s.softBody('ball', {
    position: [0, 0, 0.101],
    mesh: { kind: 'sphere', radius: 0.1, resolution: 0.04 },
    material: 'rubber',
    contact: 'point',
    elasticity: { youngsModulus: 3e4, poissonRatio: 0.4, density: 1000, stiffnessDamping: 0.005 },
    color: [0.94, 0.54, 0.14, 1],
  });
  return s.build();
}

export function softGripper() {
  const s = softScene(
    'Gripper and soft cube',
    'Two fingers lift a rubber cube. It deforms between them, and friction holds it.',
  );
  s.plane('floor', { color: floor, material: 'rubber' });
  addHand(s, { post: { contact: 'none' }, finger: { material: 'rubber' }, halfWidth: 0.04, grip: 500 });
  s.softBody('cube', {
    position: [0, 0, 0.051],
    mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [4, 4, 4] },
    material: 'rubber',
    contact: 'point',
    elasticity: { youngsModulus: 8e4, poissonRatio: 0.4, density: 400, stiffnessDamping: 0.004 },
    color: [0.85, 0.26, 0.31, 1],
  });
  s.keyframe('lift', liftState(0.07));
  return s.build();
}

export function pressurePlate() {
  const s = softScene(
    'Pressure under a plate',
    'Hydroelastic contact: an off-centre load presses on one edge. Brighter means higher pressure.',
    { timestep: 0.005 },
  );
  s.plane('floor', {
    color: floor,
    friction: 0.6,
    contact: 'hydroelastic',
    hydroelastic: { modulus: 2e4, thickness: 0.05 },
  });
  for (const [name, x, load, color] of [
    ['even', -0.35, 0, teal],
    ['uneven', 0.35, 0.12, red],
  ]) {
    s.body(name, { position: [x, 0, 0.06] })
      .free()
      .box({
        halfSize: [0.2, 0.15, 0.02],
        mass: 4,
        friction: 0.6,
        hydroelastic: { resolution: 0.05 },
        color: [...hexOf(color), 0.35],
      })
      .box({ position: [load, 0, 0.07], halfSize: [0.05, 0.05, 0.05], mass: 12, color: steel, contact: 'none' });
  }
  return s.build();
}

function hexOf(hex) {
  return [1, 3, 5].map((i) => Number((Number.parseInt(hex.slice(i, i + 2), 16) / 255).toFixed(4)));
}
