// Scenes of blocks that carry each other.
import { axisAngle, blend, blue, ground, orange, red, sand, steel, teal, violet } from './stage.mjs';

export function boxStack() {
  const count = 10;
  const half = 0.1;
  const s = ground('Box stack', 'Ten boxes in a stack. Each contact carries one more box than the contact above it.');
  for (let i = 0; i < count; i++) {
    // a little out of line, as a person stacks them
    const place = [0.012 * Math.sin(2.4 * i), 0.012 * Math.cos(1.7 * i), half * (2 * i + 1)];
    s.body(`box${i + 1}`, { position: place, orientation: axisAngle([0, 0, 1], 0.12 * Math.sin(1.3 * i)) })
      .free()
      .box({ halfSize: [half, half, half], density: 500, friction: 0.6, color: blend(blue, orange, i / (count - 1)) });
  }
  return s.build();
}

export function pyramid() {
  const base = 10;
  const half = 0.1;
  const s = ground(
    'Pyramid',
    'A wall of 55 boxes. Each box rests on two others. Start from "struck" and a ball breaks it.',
    { timestep: 0.004 },
  );
  const positions = [];
  for (let row = 0; row < base; row++) {
    for (let i = 0; i < base - row; i++) {
      const place = [2.1 * half * (i - (base - row - 1) / 2), 0, half * (2 * row + 1)];
      s.body(`box${row + 1}.${i + 1}`, { position: place })
        .free()
        .box({
          halfSize: [half, half, half],
          density: 500,
          friction: 0.6,
          color: blend(teal, violet, row / (base - 1)),
        });
      positions.push(...place, 1, 0, 0, 0);
    }
  }
  s.body('ball', { position: [0.25, -1.6, 0.2] })
    .free()
    .sphere({ radius: 0.2, density: 600, friction: 0.6, color: red });
  const still = Array(6 * 55).fill(0);
  s.keyframe('standing', {
    position: [...positions, 0.25, -1.6, 0.2, 1, 0, 0, 0],
    velocity: [...still, 0, 0, 0, 0, 0, 0],
  });
  s.keyframe('struck', {
    position: [...positions, 0.25, -2.4, 0.7, 1, 0, 0, 0],
    velocity: [...still, 0, 10, 1.5, 0, 0, 0],
  });
  return s.build();
}

export function dominoes() {
  const count = 24;
  const [thickness, width, height] = [0.012, 0.05, 0.12];
  const radius = 0.55;
  const hard = { solref: [0.004, 1] };
  const s = ground('Domino row', 'One push topples 24 dominoes. The wave soon reaches a constant speed.', {
    friction: 0.5,
  });
  for (let i = 0; i < count; i++) {
    // three quarters of a circle, faces along it
    const angle = (1.5 * Math.PI * i) / (count - 1) - 0.75 * Math.PI;
    const place = [radius * Math.cos(angle), radius * Math.sin(angle), height];
    s.body(`domino${i + 1}`, { position: place, orientation: axisAngle([0, 0, 1], angle + Math.PI / 2) })
      .free()
      .box({
        halfSize: [thickness, width, height],
        density: 700,
        friction: 0.3,
        mujoco: hard,
        color: blend(orange, blue, i / (count - 1)),
      });
  }
  // turning about the edge it will fall over: angular velocity is that of the body, about its own y axis
  const spin = 2.2;
  const direction = -0.25 * Math.PI;
  const velocity = Array(6 * count).fill(0);
  velocity[0] = spin * height * Math.cos(direction);
  velocity[1] = spin * height * Math.sin(direction);
  velocity[4] = spin;
  return s.keyframe('pushed', { velocity }).build();
}

export function arch() {
  const blocks = 15;
  const [inner, outer, depth] = [0.9, 1.1, 0.14];
  const s = ground(
    'Stone arch',
    'Fifteen loose blocks hold each other up. The thrust runs from block to block into the ground.',
    { friction: 1, mujoco: { impedanceRatio: 100 } },
  );
  const contact = { solref: [0.004, 1], solimp: [0.98, 0.999, 0.0005, 0.5, 2] };
  for (let i = 0; i < blocks; i++) {
    const [a, b] = [i, i + 1].map((k) => (Math.PI * k) / blocks);
    const middle = (a + b) / 2;
    const radius = (inner + outer) / 2;
    const center = [radius * Math.cos(middle), 0, radius * Math.sin(middle)];
    const vertices = [];
    for (const y of [-depth, depth]) {
      for (const [r, angle] of [
        [inner, a],
        [outer, a],
        [inner, b],
        [outer, b],
      ]) {
        vertices.push(r * Math.cos(angle) - center[0], y, r * Math.sin(angle) - center[2]);
      }
    }
    s.mesh(`block${i + 1}`, { vertices });
    s.body(`block${i + 1}`, { position: center })
      .free()
      .convexMesh({
        mesh: `block${i + 1}`,
        density: 2000,
        friction: 1,
        mujoco: contact,
        color: i === 7 ? red : i % 2 ? sand : blend(sand, steel, 0.35),
      });
  }
  return s.build();
}
