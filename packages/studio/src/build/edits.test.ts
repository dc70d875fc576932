import { compileModel, type Scene, Simulation, validateScene } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import {
  addBody,
  addChild,
  addServo,
  addShape,
  duplicate,
  duplicateBeside,
  move,
  readAngles,
  remove,
  repeatAlong,
  repeatAround,
  scale,
  setAngles,
  setField,
  setJoint,
  turn,
  WORLD,
} from './edits.ts';
import { emptyScene, PALETTE, SHAPES } from './palette.ts';
import { combineTurns, turnAbout, turnOfAngles, turnPoint } from './rotation.ts';
import { findThing, idOf, listBodies, listShapes } from './scene-items.ts';
import { formatSceneText } from './scene-text.ts';
import { TextHistory } from './text-history.ts';

const box = SHAPES['box']!.shape;
const anywhere = ([x, y]: readonly [number, number]) => [x, y, 0] as [number, number, number];

function build(): Scene {
  const scene = emptyScene();
  addBody(scene, 'base', box, [0, 0, 0.1]);
  addChild(scene, 'body:1', box, [0, 0, -0.2]);
  addBody(scene, 'other', box, [0, 0, 1]);
  return scene;
}

test('ids of bodies and shapes are the numbers of the compiled scene, whatever the coordinates', () => {
  const scene = build();
  addShape(scene, 'body:2', box);
  scene.shapes!.push({ kind: 'box', name: 'wall', halfSize: [1, 1, 1], position: [9, 0, 0] });
  for (const formulation of ['mujoco', 'ccp'] as const) {
    const { model } = new Simulation(compileModel(scene, { formulation }));
    expect(listBodies(scene).map(({ body }) => body.name)).toEqual([...model.body.name].slice(1));
    expect(listShapes(scene).map(({ shape }) => shape.name)).toEqual([...model.shape.name].slice(0, model.size.shape));
    for (const [i, { shape, body }] of listShapes(scene).entries()) {
      expect(idOf(scene, shape)).toBe(`shape:${i}`);
      expect(model.shape.body[i]).toBe(body);
    }
  }
});

test.each(PALETTE.map((entry) => [entry.id, entry] as const))(
  '%s can be added twice, and the scene is sound',
  (_, entry) => {
    const scene = emptyScene();
    const first = entry.add(scene, anywhere);
    const second = entry.add(scene, anywhere);
    expect(findThing(scene, first)!.item.name).not.toBe(findThing(scene, second)!.item.name);
    validateScene(scene);
  },
);

describe('moves and turns in the world', () => {
  const scene = build();
  setAngles(scene, 'body:1', [0, 0, 90]);
  const parent = { position: [0, 0, 0.1], orientation: turnOfAngles([0, 0, Math.PI / 2]) } as const;

  test('a part moves along the axes of the world, not of its parent', () => {
    move(scene, 'body:2', [1, 0, 0], { position: [...parent.position], orientation: [...parent.orientation] });
    const simulation = new Simulation(compileModel(scene));
    const { position } = simulation.pose('part');
    [1, 0, -0.1].forEach((value, k) => {
      expect(position[k]).toBeCloseTo(value, 12);
    });
  });

  test('a part turns about an axis of the world', () => {
    turn(scene, 'body:2', 0, 0.3, { position: [...parent.position], orientation: [...parent.orientation] });
    const { orientation } = new Simulation(compileModel(scene)).pose('part');
    const expected = combineTurns(turnAbout(0, 0.3), parent.orientation);
    expected.forEach((value, k) => {
      expect(orientation[k]).toBeCloseTo(value, 11);
    });
  });

  test('angles read back as they were set', () => {
    setAngles(scene, 'body:3', [10, -20, 130]);
    expect(readAngles(findThing(scene, 'body:3')!)).toEqual([10, -20, 130]);
    // R = Rz Ry Rx: x goes to the first column
    const x = turnPoint(findThing(scene, 'body:3')!.item.orientation!, [1, 0, 0]);
    const [c, s] = [Math.cos, Math.sin].map((f) => (degrees: number) => f((degrees * Math.PI) / 180)) as [
      (d: number) => number,
      (d: number) => number,
    ];
    [c(130) * c(-20), s(130) * c(-20), -s(-20)].forEach((value, k) => {
      expect(x[k]).toBeCloseTo(value, 10);
    });
  });
});

test('sizes grow along an axis, or as a whole', () => {
  const scene = emptyScene();
  const id = addBody(scene, 'pin', SHAPES['capsule']!.shape, [0, 0, 1]);
  scale(scene, id, 2, 2);
  scale(scene, id, 3, 0);
  expect(scene.bodies![0]!.shapes![0]).toMatchObject({ radius: 0.15, halfLength: 0.2 });
  scale(scene, id, 0.5);
  expect(scene.bodies![0]!.shapes![0]).toMatchObject({ radius: 0.075, halfLength: 0.1 });
});

test('a copy has names of its own; what refers to a deleted part goes with it', () => {
  const scene = build();
  setJoint(scene, 'body:2', 'slide');
  addServo(scene, 'body:2');
  scene.sensors = [{ kind: 'jointPosition', name: 'reading', joint: 'part joint' }];
  expect(scene.actuators).toHaveLength(1);
  duplicate(scene, 'body:1', [1, 0, 0]);
  validateScene(scene);
  expect(listBodies(scene)).toHaveLength(5);
  remove(scene, 'body:1');
  validateScene(scene);
  expect(scene.actuators).toBeUndefined();
  expect(scene.sensors).toBeUndefined();
  expect(listBodies(scene)).toHaveLength(3);
});

test('copies in a row and around: fifteen stones share a half circle', () => {
  const scene = emptyScene();
  const id = PALETTE.find((entry) => entry.id === 'stone')!.add(scene, anywhere);
  repeatAround(scene, id, 15, 180, [0, 0, 0]);
  expect(scene.bodies).toHaveLength(15);
  const angles = scene.bodies!.map(({ position }) => (Math.atan2(position![2], position![0]) * 180) / Math.PI);
  angles
    .sort((a, b) => a - b)
    .forEach((angle, i) => {
      expect(angle).toBeCloseTo(6 + 12 * i, 9);
    });
  // neighbours touch: they neither overlap nor leave a gap
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  const deepest = Math.min(...simulation.contacts().map(({ gap }) => gap));
  expect(Math.abs(deepest)).toBeLessThan(1e-9);
  const row = emptyScene();
  repeatAlong(row, addBody(row, 'box', box, [0, 0, 0.1]), 4, [0.3, 0, 0]);
  expect(row.bodies!.map(({ position }) => position![0]).sort()).toEqual([0, 0.3, 0.6, 0.9]);
});

test('a field is set at its place, and taken out again', () => {
  const scene = build();
  setField(scene, 'body:1', ['joints', 0, 'damping'], 0.1 + 0.2);
  expect(scene.bodies![0]!.joints![0]!.damping).toBe(0.3);
  setField(scene, 'body:1', ['joints', 0, 'damping'], undefined);
  expect(scene.bodies![0]!.joints![0]).toEqual({ kind: 'free' });
  move(scene, 'nothing:1', [1, 0, 0], WORLD);
});

test('going back through all changes returns to the first text, byte for byte', () => {
  const first = '{ "odd":\t1 }';
  const history = new TextHistory(first);
  for (let i = 0; i < 50; i++) history.push(formatSceneText({ i }));
  history.push(formatSceneText({ i: 'typed' }), true);
  let last = '';
  for (let text = history.undo(); text !== undefined; text = history.undo()) last = text;
  expect(last).toBe(first);
  let count = 0;
  for (let text = history.redo(); text !== undefined; text = history.redo()) count++;
  expect(count).toBe(50);
  expect(JSON.parse(history.present)).toEqual({ i: 'typed' });
});

test('a copy stands beside its original, turned or not, and snaps to the grid', () => {
  const scene = emptyScene();
  const id = addBody(scene, 'plank', { kind: 'box', halfSize: [0.1, 0.3, 0.05] }, [0.2, 0, 0.1]);
  const beside = findThing(scene, duplicateBeside(scene, id, 0.05))!.item.position!;
  // 0.1 + 0.1 m, and the next line of the grid beyond
  expect(beside).toEqual([0.45, 0, 0.1]);
  setAngles(scene, id, [0, 0, 90]);
  const far = findThing(scene, duplicateBeside(scene, id, 0.05))!.item.position!;
  expect(far[0]).toBeCloseTo(0.2 + 0.65, 9);
});
