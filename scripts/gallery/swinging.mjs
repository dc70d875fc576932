// Scenes in which nothing touches: pendulums, chains, tops.
import { axisAngle, blue, degrees, orange, red, silver, stage, steel, teal, violet } from './stage.mjs';

export function doublePendulum() {
  const s = stage(
    'Double pendulum',
    'Released from above, it never swings the same way twice. The total energy stays constant.',
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

export function dzhanibekovNut() {
  const s = stage(
    'Dzhanibekov nut',
    'Spun about its intermediate axis without gravity, the nut flips over again and again.',
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

export function swingingChain() {
  const links = 20;
  const length = 0.08;
  const s = stage(
    'Swinging chain',
    'Twenty links on ball joints swing down from horizontal and whip round.',
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

export function spinningTop() {
  const s = stage(
    'Spinning top',
    'A tilted top does not fall. Its axis precesses about the vertical and nutates.',
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

export function cartPole() {
  const s = stage(
    'Cart, spring and pendulum',
    'A cart on a spring carries a pendulum, released almost upright. The two exchange energy.',
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
