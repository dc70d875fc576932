// Scenes in which friction decides: sliding, rolling, gripping, tumbling.
import { addHand, liftState } from './hand.mjs';
import { blue, contactScene, degrees, floor, ground, orange, red, silver, steel, teal, violet } from './stage.mjs';

/** A point and a turn on a slope that falls towards −x, with its foot at the origin: `along` uphill, `above` the surface. */
function onSlope(angle, along, side, above) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return {
    position: [along * c - above * s, side, along * s + above * c],
    orientation: [Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0],
  };
}

export function incline() {
  const angle = degrees(20);
  const s = ground(
    'Incline',
    'Three boxes on a slope of 20° (tan 20° = 0.36): friction 0.5 sticks, 0.36 is at the limit, 0.2 slides.',
  );
  s.box('slope', { ...onSlope(angle, 1.1, 0, -0.03), halfSize: [1.1, 0.65, 0.03], friction: 0, color: silver });
  for (const [name, friction, side, color] of [
    ['holds', 0.5, -0.4, blue],
    ['limit', 0.364, 0, violet],
    ['slides', 0.2, 0.4, orange],
  ]) {
    s.body(name, onSlope(angle, 1.8, side, 0.1))
      .free()
      .box({ halfSize: [0.12, 0.12, 0.1], density: 500, friction, color });
  }
  return s.build();
}

export function rollingSpheres() {
  const angle = degrees(12);
  const radius = 0.12;
  const s = ground(
    'Rolling spheres',
    'Three balls on one slope: the frictionless one is first, the solid one second, the hollow one last.',
    { friction: 0.4 },
  );
  s.box('slope', { ...onSlope(angle, 1.6, 0, -0.03), halfSize: [1.6, 0.75, 0.03], friction: 0, color: silver });
  s.box('stop', { position: [-1.6, 0, 0.1], halfSize: [0.04, 0.75, 0.1], friction: 0, color: steel });
  for (const side of [-0.75, -0.25, 0.25, 0.75]) {
    const rail = onSlope(angle, 1.6, side, 0.015);
    s.box({ ...rail, halfSize: [1.6, 0.012, 0.015], friction: 0, color: steel, contact: 'none' });
  }
  for (const [name, shape, side, color] of [
    ['slippery', { friction: 0, mass: 2 }, -0.5, teal],
    ['solid', { friction: 0.5, mass: 2 }, 0, blue],
    ['hollow', { friction: 0.5, mass: 2, shell: true }, 0.5, orange],
  ]) {
    s.body(name, onSlope(angle, 2.95, side, radius))
      .free()
      .sphere({ radius, color, ...shape })
      // spots, so that turning can be seen
      .sphere({ position: [0, 0, 0.55 * radius], radius: 0.55 * radius, mass: 0, contact: 'none', color: silver })
      .sphere({ position: [0, 0, -0.55 * radius], radius: 0.55 * radius, mass: 0, contact: 'none', color: red });
  }
  return s.build();
}

export function conveyor() {
  const [half, width, height, speed] = [0.9, 0.26, 0.35, 0.7];
  const s = ground(
    'Conveyor',
    'Four belts carry parcels in a loop. Arrows are dashed and amber while a parcel slides.',
    { friction: 0.5 },
  );
  // a pinwheel: each belt ends where the next one passes
  for (let i = 0; i < 4; i++) {
    const turn = (i * Math.PI) / 2;
    const [c, q] = [Math.round(Math.cos(turn)), Math.round(Math.sin(turn))];
    const at = (x, y, z) => [c * x - q * y, q * x + c * y, z];
    const orientation = [Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)];
    s.box(`belt${i + 1}`, {
      position: at(-width, -half, height - 0.03),
      orientation,
      halfSize: [half, width, 0.03],
      surfaceVelocity: [speed, 0, 0],
      friction: 0.5,
      color: steel,
    });
    for (const x of [-half, half - 2 * width]) {
      s.cylinder({ from: at(x, -half, 0), to: at(x, -half, height - 0.06), radius: 0.03, color: silver });
    }
    s.box(`rail${i + 1}`, {
      position: at(0, -half - width - 0.015, height + 0.03),
      orientation,
      halfSize: [half + width, 0.015, 0.06],
      friction: 0.1,
      color: silver,
    });
  }
  const parcels = [
    [0.1, 0.08, 0.07, blue],
    [0.09, 0.09, 0.1, orange],
    [0.13, 0.07, 0.05, teal],
    [0.08, 0.08, 0.08, red],
    [0.1, 0.1, 0.06, violet],
    [0.07, 0.11, 0.09, silver],
  ];
  parcels.forEach(([x, y, z, color], i) => {
    // along the first belts, one after the other
    const place = i < 3 ? [-0.75 + 0.42 * i, -half] : [half, -0.75 + 0.42 * (i - 3)];
    s.body(`parcel${i + 1}`, { position: [...place, height + z + 0.005] })
      .free()
      .box({ halfSize: [x, y, z], density: 300, friction: 0.5, color });
  });
  return s.build();
}

export function gripper() {
  const s = ground('Gripper', 'Two fingers lift a cube by friction alone. Start from "too weak" and it slips.', {
    integrator: 'implicitfast',
    friction: 0.5,
  });
  const cube = 0.05;
  addHand(s, {
    finger: { friction: 0.8 },
    halfWidth: 0.03,
    grip: 600,
    pad: { halfSize: [0.006, 0.03, 0.03], mass: 0.02, friction: 0.8, color: silver },
  });
  s.body('cube', { position: [0, 0, cube] })
    .free()
    .box({ halfSize: [cube, cube, cube], mass: 0.5, friction: 0.5, color: red });
  const cubePose = [0, 0, cube, 1, 0, 0, 0];
  s.keyframe('lift', liftState(0.07, cubePose));
  s.keyframe('too weak', liftState(0.041, cubePose));
  return s.build();
}

export function hillTumble() {
  const samples = 29;
  const half = 1.2;
  const s = contactScene(
    'Tumble over hills',
    'Balls, bricks and rods tumble down a hill. Marks show the contact points.',
  );
  const heights = [];
  for (let row = 0; row < samples; row++) {
    for (let column = 0; column < samples; column++) {
      const x = -half + (2 * half * column) / (samples - 1);
      const y = -half + (2 * half * row) / (samples - 1);
      const bowl = 0.09 * (x * x + y * y) ** 1.5;
      heights.push(
        Number((0.1 * Math.cos(4.2 * x) * Math.cos(3.6 * y) + 0.03 * Math.sin(3 * x + 1) + bowl).toFixed(3)),
      );
    }
  }
  s.heightField('hills', { rows: samples, columns: samples, halfSize: [half, half], baseDepth: 0.1, heights });
  s.terrain('ground', { heightField: 'hills', friction: 0.5, mujoco: { solref: [0.008, 1] }, color: teal });
  const hard = { solref: [0.008, 1] };
  const rolling = { friction: 0.5, rollFriction: 0.002, mujoco: { ...hard, condim: 6 } };
  const shapes = [
    (b) => b.sphere({ radius: 0.09, ...rolling, color: red }),
    (b) => b.box({ halfSize: [0.11, 0.08, 0.06], friction: 0.5, mujoco: hard, color: blue }),
    (b) => b.capsule({ from: [-0.09, 0, 0], to: [0.09, 0, 0], radius: 0.05, ...rolling, color: orange }),
    (b) => b.cylinder({ radius: 0.08, halfLength: 0.06, ...rolling, color: violet }),
  ];
  for (let i = 0; i < 12; i++) {
    const angle = 2.4 * i;
    const place = [
      0.68 * Math.cos(angle) * Math.sqrt((i + 1) / 12),
      0.68 * Math.sin(angle) * Math.sqrt((i + 1) / 12),
      0.6 + 0.07 * i,
    ];
    const body = s.body(`piece${i + 1}`, { position: place }).free();
    shapes[i % shapes.length](body);
  }
  return s.build();
}

export function touchingShapes() {
  const s = contactScene(
    'Touching shapes',
    'Shapes turn above the floor. Marks appear where they come close, touch and separate.',
    { integrator: 'rk4', gravity: [0, 0, 0] },
  );
  s.plane('floor', { friction: 0, color: floor });
  const tetrahedron = [0.19, 0.19, 0.19, 0.19, -0.19, -0.19, -0.19, 0.19, -0.19, -0.19, -0.19, 0.19];
  s.mesh('tetrahedron', { vertices: tetrahedron });
  // each hangs where its lowest corner would dip into the floor by a few centimetres
  const smooth = { gap: 0.04, friction: 0 };
  const shapes = [
    ['ball', 0.16, (b) => b.sphere('ball', { radius: 0.18, ...smooth, color: red })],
    ['egg', 0.2, (b) => b.ellipsoid('egg', { radii: [0.12, 0.16, 0.24], ...smooth, color: orange })],
    ['rod', 0.21, (b) => b.capsule('rod', { radius: 0.08, halfLength: 0.18, ...smooth, color: teal })],
    ['can', 0.19, (b) => b.cylinder('can', { radius: 0.14, halfLength: 0.18, ...smooth, color: silver })],
    ['brick', 0.2, (b) => b.box('brick', { halfSize: [0.12, 0.16, 0.2], ...smooth, color: blue })],
    ['pyramid', 0.27, (b) => b.convexMesh('pyramid', { mesh: 'tetrahedron', ...smooth, color: violet })],
  ];
  const position = [];
  const velocity = [];
  shapes.forEach(([name, height, addShape], i) => {
    const place = [0.42 * ((i % 3) - 1), 0.44 * Math.floor(i / 3) - 0.22, height];
    const body = s
      .body(name, { position: place })
      .slide(`${name}Height`, { axis: [0, 0, 1], stiffness: 250 })
      .ball(`${name}Turn`);
    addShape(body);
    position.push(0.12, 1, 0, 0, 0);
    velocity.push(0.15 + 0.02 * i, 0.8, 0.35, 0.25);
  });
  return s.keyframe('start', { position, velocity }).build();
}
