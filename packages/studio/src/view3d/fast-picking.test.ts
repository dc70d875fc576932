import { type BufferGeometry, Group, Mesh, Raycaster, TorusKnotGeometry, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { speedUpPicking } from './fast-picking.ts';

test('rays meet a large mesh where they met it without the tree', () => {
  const geometry: BufferGeometry = new TorusKnotGeometry(1, 0.3, 200, 24);
  const plain = new Mesh(geometry);
  const group = new Group();
  const fast = new Mesh(geometry);
  group.add(fast);
  group.position.set(0.1, 0.2, 0.3);
  plain.position.copy(group.position);
  group.updateMatrixWorld();
  plain.updateMatrixWorld();
  speedUpPicking(group);
  let hits = 0;
  for (let i = 0; i < 200; i++) {
    const from = new Vector3(3 * Math.cos(i), 3 * Math.sin(i), Math.sin(3 * i));
    const ray = new Raycaster(from, new Vector3(0.1 * Math.sin(7 * i), 0.2, 0.3).sub(from).normalize());
    const [wanted] = ray.intersectObject(plain);
    const [found] = ray.intersectObject(group);
    expect(found === undefined).toBe(wanted === undefined);
    if (!wanted || !found) continue;
    hits += 1;
    expect(found.distance).toBeCloseTo(wanted.distance, 9);
  }
  expect(hits).toBeGreaterThan(20);
  expect(geometry.boundsTree).toBeDefined();
});
