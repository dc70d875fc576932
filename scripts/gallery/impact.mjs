// Scenes of blows: a cradle, a wrecking ball, a fall.
import { blend, blue, contactScene, floor, ground, orange, red, sand, silver, steel, teal } from './stage.mjs';

export function cradle() {
  const balls = 5;
  const [radius, length, height] = [0.1, 0.9, 1.15];
  const s = contactScene(
    "Newton's cradle",
    'The first ball stops dead and the last flies off. The three in between hardly move.',
    { timestep: 0.0001, mujoco: { impedanceRatio: 1 } },
  );
  s.plane('floor', { color: floor });
  for (const side of [-1, 1]) {
    s.cylinder({ from: [-0.65, 0.35 * side, 0], to: [-0.65, 0.35 * side, height], radius: 0.02, color: steel });
    s.cylinder({ from: [0.65, 0.35 * side, 0], to: [0.65, 0.35 * side, height], radius: 0.02, color: steel });
    s.cylinder({ from: [-0.65, 0.35 * side, height], to: [0.65, 0.35 * side, height], radius: 0.02, color: silver });
  }
  // steel on steel: stiff and without damping; two millimetres apart, so that each blow is one between two
  const contact = { condim: 1, solref: [-1e7, -2], solimp: [0.9999, 0.9999, 0.001, 0.5, 2] };
  for (let i = 0; i < balls; i++) {
    const x = (2 * radius + 2e-3) * (i - (balls - 1) / 2);
    s.body(`ball${i + 1}`, { position: [x, 0, height] })
      .hinge(`swing${i + 1}`, { axis: [0, 1, 0] })
      .capsule({ from: [0, -0.35, 0], to: [0, 0, -length], radius: 0.004, mass: 0, contact: 'none', color: silver })
      .capsule({ from: [0, 0.35, 0], to: [0, 0, -length], radius: 0.004, mass: 0, contact: 'none', color: silver })
      .sphere({
        position: [0, 0, -length],
        radius,
        mass: 1,
        friction: 0,
        mujoco: contact,
        color: i === 0 ? red : silver,
      });
  }
  return s.keyframe('raised', { position: [0.7, 0, 0, 0, 0] }).build();
}

export function wreckingBall() {
  const links = 12;
  const length = 0.1;
  const s = ground(
    'Wrecking ball',
    'A chain of light links swings a ball a hundred times as heavy into a wall. It does not stretch.',
    { friction: 0.7, integrator: 'implicitfast' },
  );
  const top = 2.05;
  s.cylinder('mast', { from: [-0.35, 1.1, 0], to: [-0.35, 1.1, top], radius: 0.035, color: steel });
  s.cylinder('jib', { from: [-0.35, 1.1, top], to: [-0.35, -0.05, top], radius: 0.025, color: steel });
  let parent = s;
  for (let i = 0; i < links; i++) {
    parent = parent
      .body(`link${i + 1}`, { position: i === 0 ? [-0.35, 0, top] : [0, 0, -length] })
      .ball(`joint${i + 1}`, { damping: 0.004 })
      .capsule({
        from: [0, 0, -0.025],
        to: [0, 0, -length + 0.025],
        radius: 0.02,
        mass: 0.25,
        contact: 'none',
        color: silver,
      });
  }
  parent.sphere('ball', { position: [0, 0, -length - 0.16], radius: 0.19, mass: 25, color: red });
  const [rows, columns] = [5, 5];
  const [hx, hy, hz] = [0.06, 0.12, 0.07];
  for (let row = 0; row < rows; row++) {
    const isShifted = row % 2 === 1;
    for (let i = 0; i < columns - (isShifted ? 1 : 0); i++) {
      const y = 2.02 * hy * (i - (columns - (isShifted ? 2 : 1)) / 2);
      s.body(`brick${row + 1}.${i + 1}`, { position: [0.15, y, hz * (2 * row + 1)] })
        .free()
        .box({ halfSize: [hx, hy, hz], mass: 1, friction: 0.7, color: blend(sand, orange, row / (rows - 1)) });
    }
  }
  // drawn aside as one straight line: only the first joint is turned
  const angle = 1.25;
  const bricks = rows * columns - Math.floor(rows / 2);
  const chain = [
    Math.cos(angle / 2),
    0,
    Math.sin(angle / 2),
    0,
    ...Array(links - 1)
      .fill([1, 0, 0, 0])
      .flat(),
  ];
  const wall = [];
  for (let row = 0; row < rows; row++) {
    const isShifted = row % 2 === 1;
    for (let i = 0; i < columns - (isShifted ? 1 : 0); i++) {
      wall.push(0.15, 2.02 * hy * (i - (columns - (isShifted ? 2 : 1)) / 2), hz * (2 * row + 1), 1, 0, 0, 0);
    }
  }
  if (wall.length !== 7 * bricks) throw new Error('the wall has another number of bricks');
  return s.keyframe('drawn', { position: [...chain, ...wall] }).build();
}

/** A figure of capsules on ball joints and hinges with limits. */
export function ragdoll() {
  const s = ground('Ragdoll on stairs', 'A limp figure falls down the stairs. Every joint stops at its limit.', {
    friction: 0.4,
    integrator: 'implicitfast',
  });
  for (let i = 0; i < 5; i++) {
    const height = 0.16 * (5 - i);
    s.box(`step${i + 1}`, {
      position: [i === 0 ? -1.17 : -0.9 + 0.36 * i, 0, height / 2],
      halfSize: [i === 0 ? 0.45 : 0.18, 0.9, height / 2],
      friction: 0.4,
      color: blend(steel, silver, i / 5),
    });
  }
  // a mat that shows where it ends up
  s.box('mat', { position: [1.55, 0, 0.004], halfSize: [0.75, 0.9, 0.004], contact: 'none', color: orange });
  const density = 900;
  const skin = { density, friction: 0.4, mujoco: { solref: [0.006, 1], solimp: [0.95, 0.99, 0.001, 0.5, 2] } };
  const damping = 0.6;
  const pelvis = s
    .body('pelvis', { position: [-1.05, 0, 1.95] })
    .free('root')
    .capsule({ from: [0, -0.08, 0], to: [0, 0.08, 0], radius: 0.1, ...skin, color: blue });
  const chest = pelvis
    .body('chest', { position: [0, 0, 0.16] })
    .ball('spine', { limit: { range: [0, 0.6] }, damping: 2 })
    .capsule({ from: [0, -0.1, 0.14], to: [0, 0.1, 0.14], radius: 0.12, ...skin, color: teal });
  chest
    .body('head', { position: [0, 0, 0.3] })
    .ball('neck', { limit: { range: [0, 0.7] }, damping: 0.5 })
    .sphere({ position: [0, 0, 0.12], radius: 0.105, ...skin, color: sand });
  for (const [name, side] of [
    ['left', 1],
    ['right', -1],
  ]) {
    const upper = chest
      .body(`${name}UpperArm`, { position: [0, 0.24 * side, 0.2] })
      .ball(`${name}Shoulder`, { limit: { range: [0, 1.6] }, damping })
      .capsule({ from: [0, 0.02 * side, 0], to: [0, 0.24 * side, 0], radius: 0.045, ...skin, color: teal });
    upper
      .body(`${name}Forearm`, { position: [0, 0.28 * side, 0] })
      .hinge(`${name}Elbow`, { axis: [0, 0, side], limit: { range: [0, 2.4] }, damping: 0.3 })
      .capsule({ from: [0, 0.02 * side, 0], to: [0, 0.22 * side, 0], radius: 0.038, ...skin, color: sand })
      .sphere({ position: [0, 0.29 * side, 0], radius: 0.05, ...skin, color: sand });
    const thigh = pelvis
      .body(`${name}Thigh`, { position: [0, 0.1 * side, -0.06] })
      .ball(`${name}Hip`, { limit: { range: [0, 1.5] }, damping: 1 })
      .capsule({ from: [0, 0, -0.06], to: [0, 0, -0.38], radius: 0.065, ...skin, color: blue });
    const shin = thigh
      .body(`${name}Shin`, { position: [0, 0, -0.44] })
      .hinge(`${name}Knee`, { axis: [0, 1, 0], limit: { range: [0, 2.4] }, damping: 0.6 })
      .capsule({ from: [0, 0, -0.04], to: [0, 0, -0.36], radius: 0.05, ...skin, color: blue });
    shin
      .body(`${name}Foot`, { position: [0, 0, -0.42] })
      .hinge(`${name}Ankle`, { axis: [0, 1, 0], limit: { range: [-0.7, 0.6] }, damping: 0.3 })
      .box({ position: [0.05, 0, -0.015], halfSize: [0.11, 0.045, 0.03], ...skin, color: steel });
  }
  const joints = s.build().bodies;
  const turned = countPositions(joints) - 7;
  const rest = restPositions(joints).slice(7);
  if (rest.length !== turned) throw new Error('a joint is missing');
  return s
    .keyframe('stumbling', {
      position: [-0.8, 0, 1.86, Math.cos(0.15), 0, Math.sin(0.15), 0, ...rest],
      velocity: [2.2, 0, 0, 0.3, 3, 0.4, ...Array(countVelocities(joints) - 6).fill(0)],
    })
    .build();
}

const POSITIONS = { free: [0, 0, 0, 1, 0, 0, 0], ball: [1, 0, 0, 0], hinge: [0], slide: [0] };
const VELOCITIES = { free: 6, ball: 3, hinge: 1, slide: 1 };

function listJoints(bodies = []) {
  return bodies.flatMap((body) => [...(body.joints ?? []), ...listJoints(body.bodies)]);
}

function restPositions(bodies) {
  return listJoints(bodies).flatMap(({ kind }) => POSITIONS[kind]);
}

function countPositions(bodies) {
  return restPositions(bodies).length;
}

function countVelocities(bodies) {
  return listJoints(bodies).reduce((sum, { kind }) => sum + VELOCITIES[kind], 0);
}
