// Scenes that only a barrier carries: nothing passes through anything, however fast or thin.
import { blend, blue, floor, orange, scene, silver, steel } from './stage.mjs';

/** A scene under `ipc` with a step that is long for what moves in it. */
function barrierScene(name, description, options = {}) {
  return scene(name)
    .description(description)
    .options({ formulation: 'ipc', timestep: 0.01, mujoco: { cone: 'elliptic', impedanceRatio: 10 }, ...options });
}

export function thinTray() {
  const s = barrierScene(
    'Thin tray',
    'Balls fall 16 cm per step into a tray 3 mm thick: ipc stops every one. Press 1, where looking ahead is switched off: most fall through.',
    { timestep: 0.02, fastBodies: 'off' },
  );
  const [half, wall, height, thin] = [0.36, 0.14, 0.55, 0.0015];
  s.plane('floor', { friction: 0.4, color: floor });
  // glass, so that what is inside is seen
  const sheet = { friction: 0.3, color: [0.76, 0.79, 0.84, 0.45] };
  s.box('bottom', { position: [0, 0, height], halfSize: [half, half, thin], ...sheet });
  for (const side of [-1, 1]) {
    s.box({ position: [side * half, 0, height + wall], halfSize: [thin, half, wall], ...sheet });
    s.box({ position: [0, side * half, height + wall], halfSize: [half, thin, wall], ...sheet });
    for (const y of [-half, half]) {
      s.cylinder({
        from: [side * half, y, 0],
        to: [side * half, y, height],
        radius: 0.015,
        color: steel,
        contact: 'none',
      });
    }
  }
  const count = 12;
  const velocity = [];
  for (let i = 0; i < count; i++) {
    const [column, row] = [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1];
    const place = [0.2 * column + 0.02 * Math.sin(3 * i), 0.2 * row + 0.02 * Math.cos(5 * i), 1 + 0.08 * i];
    s.body(`ball${i + 1}`, { position: place })
      .free()
      .sphere({ radius: 0.055, density: 900, friction: 0.3, color: blend(blue, orange, i / (count - 1)) });
    velocity.push(0, 0, -8, 0, 0, 0);
  }
  return s.keyframe('falling', { velocity }).build();
}

export function linkedRings() {
  const s = barrierScene(
    'Linked rings',
    'A chain of rings held together by contact alone, without joints. Ctrl and drag the lowest ring to swing it.',
    { ipc: { signedDistancePromise: 'swept' } },
  );
  const [major, minor] = [0.1, 0.018];
  s.plane('floor', { friction: 0.4, color: floor });
  s.signedDistanceField('torus', 'ring', { majorRadius: major, minorRadius: minor });
  const top = 0.95;
  s.cylinder('bar', { from: [0, 0.3, top], to: [0, -0.3, top], radius: 0.02, friction: 0.3, color: silver });
  for (const y of [-0.3, 0.3])
    s.cylinder({ from: [0, y, 0], to: [0, y, top], radius: 0.02, color: steel, contact: 'none' });
  const pitch = 2 * (major - minor) - 0.002;
  const count = 4;
  for (let i = 0; i < count; i++) {
    // every second ring is turned by a quarter about the vertical
    const turn = i % 2 === 0 ? [Math.SQRT1_2, Math.SQRT1_2, 0, 0] : [Math.SQRT1_2, 0, Math.SQRT1_2, 0];
    s.body(`ring${i + 1}`, { position: [0, 0, top + 0.02 - major + minor + 0.002 - pitch * i], orientation: turn })
      .free()
      .signedDistance({ field: 'ring', density: 2000, friction: 0.3, color: blend(blue, orange, i / (count - 1)) });
  }
  // the lowest is thrown aside
  const velocity = Array(6 * count).fill(0);
  velocity.splice(6 * (count - 1), 2, 2.4, 0.8);
  return s.keyframe('thrown', { velocity }).build();
}
