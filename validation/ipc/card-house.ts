/**
 * Houses of cards: sheets without thickness, leaned against each other in tents, the tents of a level side by side, a flat card over
 * each gap between two tops. A card of a tent stands where friction holds its foot: its top pushes with ½ m g cot(angle), so that
 * a single tent needs μ ≥ ½ cot(angle), 0.233 at 65°.
 */
import type { Body, MeshAsset, Quaternion, Scene, Shape } from '@nexdyn/engine';

/** m. */
export const CARD_LENGTH = 0.1;
const CARD_WIDTH = 0.06;
/** kg. */
export const CARD_MASS = 0.002;
/** Gap left between cards at the start, m. */
const GAP = 5e-4;

const card: MeshAsset = {
  name: 'card',
  // along x, across y
  vertices: [
    [-CARD_LENGTH / 2, -CARD_WIDTH / 2, 0],
    [CARD_LENGTH / 2, -CARD_WIDTH / 2, 0],
    [CARD_LENGTH / 2, CARD_WIDTH / 2, 0],
    [-CARD_LENGTH / 2, CARD_WIDTH / 2, 0],
  ].flat(),
  faces: [0, 1, 2, 0, 2, 3],
  inertia: 'shell',
};

/** A house of some levels, the lowest with as many tents; angle of the cards against the ground, rad. */
export function createCardHouse(levels: number, friction: number, angle: number): Partial<Scene> {
  const bodies: Body[] = [];
  const shape: Shape = { kind: 'triangleMesh', mesh: 'card', mass: CARD_MASS, friction };
  const add = (name: string, x: number, z: number, turn: number): void => {
    const orientation: Quaternion = [Math.cos(turn / 2), 0, Math.sin(turn / 2), 0];
    bodies.push({ name, position: [x, 0, z], orientation, joints: [{ kind: 'free' }], shapes: [shape] });
  };
  const half = (CARD_LENGTH / 2) * Math.cos(angle);
  const rise = CARD_LENGTH * Math.sin(angle);
  // tents stand this far from each other: feet of neighbours do not touch
  const pitch = 4 * half + 4 * GAP;
  let floor = GAP;
  for (let level = 0; level < levels; level++) {
    const tents = levels - level;
    for (let i = 0; i < tents; i++) {
      const x = (i - (tents - 1) / 2) * pitch;
      add(`left ${level}.${i}`, x - half - GAP / 2, floor + rise / 2, -angle);
      add(`right ${level}.${i}`, x + half + GAP / 2, floor + rise / 2, angle);
    }
    floor += rise + GAP;
    // they are longer than the tops are apart: every second one lies on its neighbours
    for (let i = 0; i + 1 < tents; i++)
      add(`flat ${level}.${i}`, (i - (tents - 2) / 2) * pitch, floor + (i % 2) * GAP, 0);
    floor += tents > 2 ? 2 * GAP : GAP;
  }
  return { meshes: [card], shapes: [{ kind: 'plane', friction }], bodies };
}
