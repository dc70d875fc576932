/** What can be added to a scene by a click. */
import type { Scene, Shape, SoftBody } from '@nexdyn/engine';
import { addBody, addSoftBody, dropStates } from './edits.ts';
import type { Point } from './rotation.ts';
import { freeName, idOf, listNames } from './scene-items.ts';
import { roundNumber } from './scene-text.ts';

/** Shapes that a body can have, at a size one can see. */
export const SHAPES: Readonly<Record<string, { label: string; shape: Shape; height: number }>> = {
  box: { label: 'Box', shape: { kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.6 }, height: 0.1 },
  sphere: { label: 'Ball', shape: { kind: 'sphere', radius: 0.1, friction: 0.6 }, height: 0.1 },
  capsule: { label: 'Capsule', shape: { kind: 'capsule', radius: 0.05, halfLength: 0.1, friction: 0.6 }, height: 0.15 },
  cylinder: {
    label: 'Cylinder',
    shape: { kind: 'cylinder', radius: 0.1, halfLength: 0.1, friction: 0.6 },
    height: 0.1,
  },
  ellipsoid: {
    label: 'Ellipsoid',
    shape: { kind: 'ellipsoid', radii: [0.12, 0.08, 0.06], friction: 0.6 },
    height: 0.06,
  },
};

/** Sector of an arch stone, degrees, and how thick it is, m, on a radius of 1 m. */
const SECTOR = 12;
const THICKNESS = 0.2;

const SOFT: SoftBody = {
  name: 'soft block',
  mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [3, 3, 3] },
  elasticity: { youngsModulus: 50000, poissonRatio: 0.3, density: 500 },
};

/** Finds room for something so wide near a place, m: a point on the ground there. */
export type FindRoom = (near: readonly [number, number], radius: number) => Point;

/** Something to add, and how. */
export interface PaletteEntry {
  id: string;
  label: string;
  title: string;
  add(scene: Scene, findRoom: FindRoom): string;
}

/** Half the width of the widest of them, m. */
const WIDTH = 0.12;

export const PALETTE: readonly PaletteEntry[] = [
  ...Object.entries(SHAPES).map(
    ([id, { label, shape, height }]): PaletteEntry => ({
      id,
      label,
      title: `Add a body: ${label.toLowerCase()}`,
      add: (scene, findRoom) => addBody(scene, label.toLowerCase(), shape, raise(findRoom([0, 0], WIDTH), height)),
    }),
  ),
  {
    id: 'stone',
    label: 'Arch stone',
    title: 'Add the first stone of an arch of 15; make the others with Copies around',
    add: addStone,
  },
  {
    id: 'soft',
    label: 'Soft block',
    title: 'Add a soft body',
    add: (scene, findRoom) => addSoftBody(scene, { ...SOFT, position: raise(findRoom([0, 0], WIDTH), 0.1) }),
  },
  { id: 'plane', label: 'Floor', title: 'Add an infinite floor', add: addFloor },
];

/** A scene to begin with: a floor and nothing on it. */
export function emptyScene(): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    name: 'My scene',
    options: { timestep: 0.002 },
    shapes: [{ kind: 'plane', name: 'floor', friction: 0.6 }],
  };
}

function raise([x, y, z]: Point, height: number): Point {
  return [x, y, roundNumber(z + height)];
}

function addFloor(scene: Scene): string {
  const floor: Shape = { kind: 'plane', name: freeName(listNames(scene), 'floor'), friction: 0.6 };
  scene.shapes = [...(scene.shapes ?? []), floor];
  return idOf(scene, floor)!;
}

/** A wedge with x outwards and z along the arch, about its middle. */
function addStone(scene: Scene, findRoom: FindRoom): string {
  dropStates(scene);
  const half = (SECTOR * Math.PI) / 360;
  if (!scene.meshes?.some(({ name }) => name === 'arch stone')) {
    const vertices: number[] = [];
    for (const y of [-0.14, 0.14])
      for (const side of [-1, 1])
        for (const rim of [-1, 1]) {
          const radius = 1 + (rim * THICKNESS) / 2;
          vertices.push(radius * Math.cos(half) - 1, y, side * radius * Math.sin(half));
        }
    scene.meshes = [...(scene.meshes ?? []), { name: 'arch stone', vertices: vertices.map(roundNumber) }];
  }
  const [x, y, z] = findRoom([roundNumber(Math.cos(half)), 0], 0.14);
  const id = addBody(
    scene,
    'stone',
    { kind: 'convexMesh', mesh: 'arch stone', density: 2000, friction: 1 },
    raise([x, y, z], Math.sin(half)),
  );
  const body = scene.bodies!.at(-1)!;
  body.orientation = [roundNumber(Math.cos(half / 2)), 0, roundNumber(-Math.sin(half / 2)), 0];
  return id;
}
