// Writes the scenes of the gallery, scenes/*.json, through the engine's builder. With --check it only compares.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { formatJson } from './compact-json.mjs';
import { putGeneratedFile, root } from './generated-file.mjs';

const { module } = await runnerImport(join(root, 'packages/engine/src/scene/builder.ts'));
const { axisAngle, degrees, scene } = module;

const steel = '#4a5568';
const silver = '#c3cad5';
const floor = '#dfe4ea';
const blue = '#2f6fde';
const orange = '#f08a24';
const teal = '#1f9e8f';
const red = '#d9434e';
const violet = '#7a5fd0';

/** A scene on a floor in which nothing touches. */
function stage(name, description) {
  const stage = scene(name)
    .description(description)
    .options({ timestep: 0.002, disable: ['contact'] });
  return stage.plane('floor', { color: floor });
}

function doublePendulum() {
  const s = stage(
    'Double pendulum',
    'Two links let go from above: the same start to within a hair soon swings quite differently, yet the energy stays.',
  ).integrator('rk4');
  s.cylinder('post', { from: [0, 0.2, 0], to: [0, 0.2, 1.65], radius: 0.045, color: steel });
  s.cylinder('axle', { from: [0, 0.2, 1.6], to: [0, -0.05, 1.6], radius: 0.03, color: silver });
  const upper = s
    .body('upper', { position: [0, 0, 1.6] })
    .hinge('shoulder', { axis: [0, 1, 0] })
    .capsule({ from: [0, 0, 0], to: [0, 0, -0.6], radius: 0.042, color: blue })
    .cylinder({ from: [0, 0.03, -0.6], to: [0, -0.14, -0.6], radius: 0.055, color: silver });
  upper
    .body('lower', { position: [0, -0.1, -0.6] })
    .hinge('elbow', { axis: [0, 1, 0] })
    .capsule({ from: [0, 0, 0], to: [0, 0, -0.5], radius: 0.036, color: orange })
    .sphere('bob', { position: [0, 0, -0.55], radius: 0.095, color: red });
  return s.keyframe('start', { position: [2.3, 0.9] }).build();
}

function dzhanibekovNut() {
  const s = stage(
    'Dzhanibekov nut',
    'Weightless and spun about its middle axis, the handle turns over again and again; the red tip shows the flips.',
  )
    .gravity([0, 0, 0])
    .integrator('rk4');
  // bar 0.6 m and stem 0.3 m of one radius: the centre of mass lies 0.05 m down the stem, where the body's origin is
  s.body('handle', { position: [0, 0, 1] })
    .free('flight')
    .cylinder('bar', { from: [0, -0.3, 0.05], to: [0, 0.3, 0.05], radius: 0.03, color: orange })
    .cylinder('stem', { from: [0, 0, 0.05], to: [0, 0, -0.25], radius: 0.03, color: steel })
    .sphere('tip', { position: [0, 0, -0.25], radius: 0.045, mass: 0, color: red })
    .sphere('left', { position: [0, -0.3, 0.05], radius: 0.038, mass: 0, color: silver })
    .sphere('right', { position: [0, 0.3, 0.05], radius: 0.038, mass: 0, color: silver });
  return s.keyframe('spun', { position: [0, 0, 1, 1, 0, 0, 0], velocity: [0, 0, 0, 0.01, 0.01, 9] }).build();
}

function swingingChain() {
  const links = 20;
  const length = 0.08;
  const s = stage(
    'Swinging chain',
    'Twenty links on ball joints fall from the horizontal and whip round: sixty degrees of freedom in one tree.',
  ).integrator('rk4');
  for (const side of [-1, 1]) {
    s.cylinder({ from: [0, 1.2 * side, 0], to: [0, 1.2 * side, 2], radius: 0.022, color: steel });
    s.sphere({ position: [0, 1.2 * side, 2], radius: 0.03, color: silver });
  }
  s.cylinder('beam', { from: [0, -1.2, 2], to: [0, 1.2, 2], radius: 0.014, color: silver });
  s.sphere('hook', { position: [0, 0, 2], radius: 0.045, color: silver });
  let parent = s;
  for (let i = 0; i < links; i++) {
    const mix = i / (links - 1);
    // from blue to orange along the chain
    const color = [0.18 + 0.76 * mix, 0.44 + 0.1 * mix, 0.87 - 0.73 * mix, 1].map((part) => Number(part.toFixed(3)));
    parent = parent
      .body(`link${i + 1}`, { position: [i === 0 ? 0 : length, 0, i === 0 ? 2 : 0] })
      .ball(`joint${i + 1}`, { damping: 0.002 })
      .capsule({ from: [0.025, 0, 0], to: [length - 0.025, 0, 0], radius: 0.029, color });
  }
  parent.sphere('weight', { position: [length + 0.04, 0, 0], radius: 0.085, color: red });
  // a push sideways at the hook makes the swing three-dimensional
  const velocity = Array.from({ length: 3 * links }, (_, i) => (i === 2 ? 0.8 : 0));
  return s.keyframe('level', { velocity }).build();
}

function robotArm() {
  const s = stage(
    'Robot arm',
    'Position servos carry a five-axis arm with a gripper from folded to reach; other keyframes send it elsewhere.',
  ).integrator('implicitfast');
  s.cylinder('plinth', { from: [0, 0, 0], to: [0, 0, 0.06], radius: 0.16, color: steel });
  const link = { gravityCompensation: 0.9 };
  const turret = s
    .body('turret', { position: [0, 0, 0.06], ...link })
    .hinge('yaw', { axis: [0, 0, 1], damping: 1 })
    .cylinder({ from: [0, 0, 0], to: [0, 0, 0.2], radius: 0.085, color: silver })
    .cylinder({ from: [0, -0.1, 0.24], to: [0, 0.1, 0.24], radius: 0.07, color: steel });
  const upper = turret
    .body('upperArm', { position: [0, 0, 0.24], ...link })
    .hinge('shoulder', { axis: [0, 1, 0], damping: 1 })
    .capsule({ from: [0, 0, 0.05], to: [0, 0, 0.42], radius: 0.055, color: orange });
  const fore = upper
    .body('forearm', { position: [0, 0, 0.47], ...link })
    .hinge('elbow', { axis: [0, 1, 0], damping: 0.6 })
    .cylinder({ from: [0, -0.075, 0], to: [0, 0.075, 0], radius: 0.055, color: steel })
    .capsule({ from: [0, 0, 0.05], to: [0, 0, 0.32], radius: 0.043, color: orange });
  const wrist = fore
    .body('wrist', { position: [0, 0, 0.37], ...link })
    .hinge('pitch', { axis: [0, 1, 0], damping: 0.2 })
    .cylinder({ from: [0, -0.055, 0], to: [0, 0.055, 0], radius: 0.042, color: steel })
    .capsule({ from: [0, 0, 0.03], to: [0, 0, 0.09], radius: 0.034, color: silver });
  const hand = wrist
    .body('hand', { position: [0, 0, 0.13], ...link })
    .hinge('roll', { axis: [0, 0, 1], damping: 0.1 })
    .box({ position: [0, 0, 0.02], halfSize: [0.03, 0.075, 0.02], color: steel });
  for (const [name, side] of [
    ['left', 1],
    ['right', -1],
  ]) {
    hand
      .body(`${name}Finger`, { position: [0, 0.02 * side, 0.04], ...link })
      .slide(`${name}Slide`, { axis: [0, side, 0], damping: 2 })
      .box({ position: [0, 0, 0.045], halfSize: [0.014, 0.009, 0.045], color: silver });
  }
  s.positionServo('yawServo', {
    joint: 'yaw',
    stiffness: 120,
    damping: 22,
    timeConstant: 0.35,
    controlRange: [-2.9, 2.9],
  })
    .positionServo('shoulderServo', {
      joint: 'shoulder',
      stiffness: 220,
      damping: 40,
      timeConstant: 0.35,
      controlRange: [-1.9, 1.9],
    })
    .positionServo('elbowServo', {
      joint: 'elbow',
      stiffness: 120,
      damping: 16,
      timeConstant: 0.35,
      controlRange: [-2.5, 2.5],
    })
    .positionServo('pitchServo', {
      joint: 'pitch',
      stiffness: 30,
      damping: 2.5,
      timeConstant: 0.35,
      controlRange: [-2.2, 2.2],
    })
    .positionServo('rollServo', {
      joint: 'roll',
      stiffness: 8,
      damping: 0.5,
      timeConstant: 0.35,
      controlRange: [-3, 3],
    })
    .positionServo('leftGrip', { joint: 'leftSlide', stiffness: 200, damping: 10, controlRange: [0, 0.045] })
    .positionServo('rightGrip', { joint: 'rightSlide', stiffness: 200, damping: 10, controlRange: [0, 0.045] });
  const folded = [-1.2, -0.9, 2.2, 0.6, 0, 0, 0];
  const reach = [0.9, 0.75, 0.95, 0.9, 1.57, 0.04, 0.04];
  const upright = [0, 0, 0, 0, 0, 0.02, 0.02];
  // the first five servos have a filter, whose state begins where the arm is
  s.keyframe('reach', { position: folded, activation: folded.slice(0, 5), control: reach });
  s.keyframe('straighten', { position: reach, activation: reach.slice(0, 5), control: upright });
  s.keyframe('fold', { position: upright, activation: upright.slice(0, 5), control: folded });
  return s.build();
}

function spinningTop() {
  const s = stage(
    'Spinning top',
    'A leaning top on a ball joint does not fall: its axis walks round the vertical and nods, as Euler computed.',
  ).integrator('rk4');
  s.cylinder('pedestal', { from: [0, 0, 0], to: [0, 0, 0.16], radius: 0.045, color: steel });
  s.sphere('socket', { position: [0, 0, 0.16], radius: 0.02, color: silver });
  s.body('top', { position: [0, 0, 0.18] })
    .ball('pivot')
    .capsule('stem', { from: [0, 0, 0], to: [0, 0, 0.3], radius: 0.01, color: silver })
    .cylinder('disk', { from: [0, 0, 0.13], to: [0, 0, 0.17], radius: 0.13, color: violet })
    .cylinder('rim', { from: [0, 0, 0.14], to: [0, 0, 0.16], radius: 0.137, mass: 0, color: orange })
    .box('stripe', { position: [0.065, 0, 0.171], halfSize: [0.06, 0.008, 0.002], mass: 0, color: '#ffffff' });
  return s.keyframe('leaning', { position: axisAngle([1, 0, 0], degrees(25)), velocity: [0, 0, 75] }).build();
}

function cartPole() {
  const s = stage(
    'Cart, spring and pendulum',
    'A cart held by a spring carries a pendulum let go almost upright: the two trade their energy back and forth.',
  ).integrator('rk4');
  const rail = 1.4;
  for (const side of [-1, 1]) {
    s.cylinder({ from: [side * rail, 0, 0], to: [side * rail, 0, 1.1], radius: 0.045, color: steel });
    s.sphere({ position: [side * rail, 0, 1.1], radius: 0.065, color: silver });
  }
  s.cylinder('rail', { from: [-rail, 0, 1.1], to: [rail, 0, 1.1], radius: 0.028, color: silver });
  const cart = s
    .body('cart', { position: [0, 0, 1.1] })
    .slide('travel', { axis: [1, 0, 0], stiffness: 60, damping: 0.05 })
    .box({ halfSize: [0.2, 0.1, 0.075], density: 400, color: teal })
    .cylinder({ from: [0, -0.1, 0], to: [0, -0.2, 0], radius: 0.035, mass: 0.05, color: steel });
  cart
    .body('pendulum', { position: [0, -0.16, 0] })
    .hinge('swing', { axis: [0, 1, 0], damping: 0.001 })
    .capsule({ from: [0, 0, 0], to: [0, 0, -0.6], radius: 0.028, density: 400, color: blue })
    .sphere('bob', { position: [0, 0, -0.66], radius: 0.1, density: 500, color: red });
  return s.keyframe('start', { position: [0.5, 2.7] }).build();
}

/** A weightless scene on a floor or on terrain in which shapes touch, driven by springs and spin alone. */
function contactStage(name, description) {
  return scene(name).description(description).options({ timestep: 0.002 }).gravity([0, 0, 0]).integrator('rk4');
}

function touchingShapes() {
  const s = contactStage(
    'Touching shapes',
    'Press C: one shape of each kind turns on a spring above the floor; corners, edges and faces come near, touch and sink in.',
  );
  s.plane('floor', { color: floor });
  const tetrahedron = [0.19, 0.19, 0.19, 0.19, -0.19, -0.19, -0.19, 0.19, -0.19, -0.19, -0.19, 0.19];
  s.mesh('tetrahedron', { vertices: tetrahedron });
  // each rests where its lowest corner can dip into the floor by a few centimetres
  const shapes = [
    ['ball', 0.16, (b) => b.sphere('ball', { radius: 0.18, margin: 0.04, color: red })],
    ['egg', 0.2, (b) => b.ellipsoid('egg', { radii: [0.12, 0.16, 0.24], margin: 0.04, color: orange })],
    ['rod', 0.21, (b) => b.capsule('rod', { radius: 0.08, halfLength: 0.18, margin: 0.04, color: teal })],
    ['can', 0.19, (b) => b.cylinder('can', { radius: 0.14, halfLength: 0.18, margin: 0.04, color: silver })],
    ['brick', 0.2, (b) => b.box('brick', { halfSize: [0.12, 0.16, 0.2], margin: 0.04, color: blue })],
    ['pyramid', 0.27, (b) => b.convexMesh('pyramid', { mesh: 'tetrahedron', margin: 0.04, color: violet })],
  ];
  const velocity = [];
  shapes.forEach(([name, height, addShape], i) => {
    const place = [0.42 * ((i % 3) - 1), 0.44 * Math.floor(i / 3) - 0.22, height];
    const body = s
      .body(name, { position: place })
      .slide(`${name}Height`, { axis: [0, 0, 1], stiffness: 250 })
      .ball(`${name}Turn`);
    addShape(body);
    velocity.push(0.15 + 0.02 * i, 0.8, 0.35, 0.25);
  });
  return s.keyframe('start', { velocity }).build();
}

function terrainSweep() {
  const samples = 29;
  const half = 1.2;
  const s = contactStage(
    'Sweep over hills',
    'Press C: a ball, a brick and a rod swing across hills on springs and pass through the tops; stems show the slopes.',
  );
  const heights = [];
  for (let row = 0; row < samples; row++) {
    for (let column = 0; column < samples; column++) {
      const x = -half + (2 * half * column) / (samples - 1);
      const y = -half + (2 * half * row) / (samples - 1);
      heights.push(Number((0.16 * Math.cos(4.2 * x) * Math.cos(3.6 * y) + 0.05 * Math.sin(3 * x + 1)).toFixed(3)));
    }
  }
  s.heightField('hills', { rows: samples, columns: samples, halfSize: [half, half], baseDepth: 0.1, heights });
  s.terrain('ground', { heightField: 'hills', color: teal });
  const riders = [
    ['ball', -0.75, 0.25, (b) => b.sphere('ball', { radius: 0.16, margin: 0.02, color: red })],
    ['brick', 0, 0.28, (b) => b.box('brick', { halfSize: [0.18, 0.14, 0.1], margin: 0.02, color: blue })],
    ['rod', 0.75, 0.19, (b) => b.capsule('rod', { from: [-0.2, 0, 0], to: [0.2, 0, 0], radius: 0.08, color: orange })],
  ];
  riders.forEach(([name, y, height, addShape], i) => {
    const body = s
      .body(name, { position: [0, y, height] })
      .slide(`${name}Travel`, { axis: [1, 0, 0], stiffness: 100 + 20 * i });
    addShape(body);
  });
  return s.keyframe('start', { position: [-0.85, 0.8, -0.7] }).build();
}

const gallery = {
  'double-pendulum': doublePendulum,
  'dzhanibekov-nut': dzhanibekovNut,
  'swinging-chain': swingingChain,
  'robot-arm': robotArm,
  'spinning-top': spinningTop,
  'cart-pole': cartPole,
  'touching-shapes': touchingShapes,
  'terrain-sweep': terrainSweep,
};

mkdirSync(join(root, 'scenes'), { recursive: true });
for (const [name, build] of Object.entries(gallery)) {
  const { format, version, ...rest } = build();
  const linked = { $schema: '../docs/schema/scene.schema.json', format, version, ...rest };
  putGeneratedFile(join(root, 'scenes', `${name}.json`), formatJson(roundNumbers(linked)));
}

/** The same value with numbers of twelve digits: 0.1 + 0.2 reads 0.3. */
function roundNumbers(value) {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'number' ? Number(part.toPrecision(12)) : part,
  );
}
