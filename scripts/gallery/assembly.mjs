// Assembly straight from meshes, without decomposition: thread, fit, teeth and links, with the penetration to be measured.
import { blue, floor, orange, scene, silver, steel, teal } from './stage.mjs';

function assemblyScene(name, description, options) {
  return scene(name)
    .description(description)
    .options({ formulation: 'ipc', mujoco: { cone: 'elliptic', impedanceRatio: 10 }, ...options });
}

/** A nut that turns down a fixed bolt by its weight: dz = p dφ/2π. */
export function nutOnBolt() {
  const s = assemblyScene(
    'Nut on bolt',
    'The nut turns down the thread under its own weight: two meshes, 0.5 mm apart. Press 1 to 3 and watch the penetration.',
    { timestep: 0.01, ipc: { barrierDistance: 1e-4 } },
  );
  const thread = { lead: 0.05, root: 0.08, crest: 0.1, flank: 0.003, segments: 24 };
  s.mesh('bolt', closeThread(drawThread(thread, 6, { axial: 0, radial: 0 }), thread));
  s.mesh('nut', closeNut(drawThread(thread, 2, { axial: 5e-4, radial: 2e-3 }), thread, 0.125));
  s.plane('floor', { position: [0, 0, -0.2], color: floor });
  s.triangleMesh('thread', { mesh: 'bolt', friction: 0, color: silver });
  s.body('nut', { position: [0, 0, 0.05] })
    .free()
    .triangleMesh({ mesh: 'nut', friction: 0, density: 2700, color: blue });
  return s.build();
}

/** A peg of 40 mm in a hole that is 10 µm wider on each side. */
export function pegInHole() {
  const s = assemblyScene(
    'Peg in hole',
    'A peg of 40 mm slides into a hole with 10 µm to spare on each side. Press 1 to 3: it cuts into the wall, or jams.',
    { timestep: 0.004, ipc: { barrierDistance: 4e-6 } },
  );
  const [sides, radius, gap, height] = [12, 0.02, 1e-5, 0.06];
  s.mesh('block', drillBlock(0.05, height, sides, radius + gap / Math.cos(Math.PI / sides)));
  s.mesh('peg', drawPrism(sides, radius, 0.08));
  s.plane('floor', { position: [0, 0, -0.031], color: floor });
  s.triangleMesh('block', { mesh: 'block', friction: 0.1, color: steel });
  s.body('peg', { position: [0, 0, 0.06] })
    .free()
    .triangleMesh({ mesh: 'peg', friction: 0.1, density: 7800, color: orange });
  return s.build();
}

/** Two gears of twelve and eighteen teeth; a motor turns the small one. */
export function gearPair() {
  const s = assemblyScene(
    'Gear pair',
    'A motor turns a gear of twelve teeth, which drives one of eighteen: ω₂/ω₁ = −12/18. Involute teeth as meshes, with 0.2 mm of play.',
    { timestep: 0.005, gravity: [0, 0, 0], ipc: { barrierDistance: 5e-5 } },
  );
  const module = 0.01;
  const distance = (module * (12 + 18)) / 2 + 4e-4;
  s.mesh('pinion', drawGear(12, module, 0.02));
  s.mesh('wheel', drawGear(18, module, 0.02));
  s.body('pinion', { position: [-distance / 2, 0, 0.2] })
    .hinge('pinion shaft', { axis: [0, 0, 1] })
    .triangleMesh({ mesh: 'pinion', friction: 0.1, density: 7800, color: orange });
  s.body('wheel', { position: [distance / 2, 0, 0.2], orientation: turnAbout(Math.PI / 18) })
    .hinge('wheel shaft', { axis: [0, 0, 1], damping: 0.05 })
    .triangleMesh({ mesh: 'wheel', friction: 0.1, density: 7800, color: teal });
  s.velocityServo('motor', { joint: 'pinion shaft', gain: 2 });
  return s.keyframe('turning', { control: [3] }).build();
}

/** A chain of links of wire, each a closed mesh, held by contact alone. */
export function chainOfLinks() {
  const s = assemblyScene(
    'Chain of links',
    'Links of bent wire as triangle meshes, one through the next, without joints. The chain swings and never passes through itself.',
    { timestep: 0.01 },
  );
  const [half, bend, wire] = [0.05, 0.035, 0.012];
  s.mesh('link', bendLink(half, bend, wire, 20, 8));
  s.plane('floor', { color: floor });
  const pitch = 2 * (half + bend - wire) - 0.002;
  const top = 1;
  const place = (k) => ({
    position: [0, 0, top - k * pitch],
    orientation: k % 2 === 0 ? [1, 0, 0, 0] : [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  });
  const look = { mesh: 'link', friction: 0.3 };
  s.triangleMesh('hook', { ...look, ...place(0), color: steel });
  for (let k = 1; k <= 5; k++) {
    s.body(`link${k}`, place(k))
      .free()
      .triangleMesh({ ...look, density: 2700, color: k % 2 === 0 ? silver : blue });
  }
  return s
    .keyframe('pushed', {
      velocity: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, 0, 0, 0.6, 0, 0, 0, 0, 0],
    })
    .build();
}

function turnAbout(angle) {
  return [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
}

/** A thread: a profile of four corners along a helix, its middle at the origin. */
function drawThread({ lead, root, crest, flank, segments: n }, turns, free) {
  const rows = n * turns;
  const width = lead / 2 - flank;
  const profile = [
    [free.axial, root + free.radial],
    [width - free.axial, root + free.radial],
    [width + flank - free.axial, crest + free.radial],
    [2 * width + flank + free.axial, crest + free.radial],
  ];
  const vertices = [];
  const faces = [];
  const at = (row, k) => (row <= rows ? 4 * row + k : 4 * (rows + 1) + row - rows - 1);
  for (let row = 0; row <= rows + n; row++) {
    const angle = (2 * Math.PI * row) / n;
    for (const [along, radius] of row <= rows ? profile : profile.slice(0, 1)) {
      vertices.push(radius * Math.cos(angle), radius * Math.sin(angle), lead * (row / n - (turns + 1) / 2) + along);
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < 4; k++) {
      const above = (r) => (k < 3 ? at(r, k + 1) : at(r + n, 0));
      faces.push(at(row, k), at(row + 1, k), above(row + 1), at(row, k), above(row + 1), above(row));
    }
  }
  return { vertices, faces, at, rows };
}

/** The thread of a bolt with a fan at each end. */
function closeThread({ vertices, faces, at, rows }, { segments: n }) {
  const ends = [
    [0, false],
    [rows, true],
  ];
  for (const [row, isUp] of ends) {
    const centre = vertices.length / 3;
    vertices.push(0, 0, vertices[3 * at(row, 0) + 2]);
    const loop = Array.from({ length: n + 1 }, (_, i) => at(row + i, 0));
    loop.push(at(row, 3), at(row, 2), at(row, 1));
    loop.forEach((v, i) => {
      const next = loop[(i + 1) % loop.length];
      faces.push(centre, ...(isUp ? [v, next] : [next, v]));
    });
  }
  return { vertices, faces, inertia: 'exact' };
}

/** A nut: the thread seen from inside, a hexagon around it, and ends that follow the helix, with a step where they meet. */
function closeNut({ vertices, faces, at, rows }, { lead, segments: n }, apothem) {
  const inward = [];
  for (let f = 0; f < faces.length; f += 3) inward.push(faces[f], faces[f + 2], faces[f + 1]);
  // outside, along the same helix
  const first = vertices.length / 3;
  const outer = (i) => first + i;
  for (let i = 0; i <= rows + n; i++) {
    const angle = (2 * Math.PI * i) / n;
    const sector = (angle % (Math.PI / 3)) - Math.PI / 6;
    const radius = apothem / Math.cos(sector);
    vertices.push(radius * Math.cos(angle), radius * Math.sin(angle), vertices[2] + (lead * i) / n);
  }
  for (let i = 0; i < rows; i++)
    inward.push(outer(i), outer(i + 1), outer(n + i + 1), outer(i), outer(n + i + 1), outer(n + i));
  for (let i = 0; i < n; i++) {
    inward.push(at(i, 0), at(i + 1, 0), outer(i + 1), at(i, 0), outer(i + 1), outer(i));
    const [a, b] = [at(rows + i, 0), at(rows + i + 1, 0)];
    inward.push(a, outer(rows + i + 1), b, a, outer(rows + i), outer(rows + i + 1));
  }
  for (const [row, base, isUp] of [
    [0, 0, false],
    [rows, rows, true],
  ]) {
    const [low, high] = [outer(base), outer(base + n)];
    const [a, b, c, d, e] = [at(row, 0), at(row, 1), at(row, 2), at(row, 3), at(row + n, 0)];
    // the groove stays free: its upper end is seen from the upper corner alone
    for (const [p, q, r] of [
      [low, a, b],
      [low, b, c],
      [low, c, d],
      [low, d, high],
      [high, d, e],
    ]) {
      inward.push(p, ...(isUp ? [q, r] : [r, q]));
    }
  }
  return { vertices, faces: inward, inertia: 'exact' };
}

/** Points of a regular polygon about z. */
function polygon(sides, radius) {
  return Array.from({ length: sides }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/** A closed prism over an outline that is star-shaped about the origin. Corners behind others, seen from there, are ears of the caps. */
function extrude(outline, height) {
  const n = outline.length;
  const next = (i) => (i + 1) % n;
  const last = (i) => (i + n - 1) % n;
  const isEar = (i) => isBehind(outline[i], outline[next(i)]) || isBehind(outline[i], outline[last(i)]);
  const vertices = [];
  for (const z of [-height / 2, height / 2]) for (const [x, y] of outline) vertices.push(x, y, z);
  vertices.push(0, 0, -height / 2, 0, 0, height / 2);
  const faces = [];
  for (let i = 0; i < n; i++) {
    const j = next(i);
    faces.push(i, j, n + j, i, n + j, n + i);
    if (isEar(i)) faces.push(j, i, last(i), n + last(i), n + i, n + j);
    else {
      const corner = isEar(j) ? next(j) : j;
      faces.push(2 * n, corner, i, 2 * n + 1, n + i, n + corner);
    }
  }
  return { vertices, faces, inertia: 'exact' };
}

/** Whether a point lies behind another, seen from the origin. */
function isBehind([ax, ay], [bx, by]) {
  const [near, far] = [Math.hypot(bx, by), Math.hypot(ax, ay)];
  return far > near && Math.abs(ax * by - ay * bx) < 1e-12 * near * far;
}

function drawPrism(sides, radius, height) {
  return extrude(polygon(sides, radius), height);
}

/** A block with a hole through it: walls of the hole, walls outside, and rings above and below. */
function drillBlock(half, height, sides, radius) {
  const hole = polygon(sides, radius);
  // the outside has a corner for every corner of the hole, in the same direction
  const outside = hole.map(([x, y]) => {
    const stretch = half / Math.max(Math.abs(x), Math.abs(y));
    return [x * stretch, y * stretch];
  });
  const n = sides;
  const vertices = [];
  for (const z of [-height / 2, height / 2]) {
    for (const [x, y] of hole) vertices.push(x, y, z);
    for (const [x, y] of outside) vertices.push(x, y, z);
  }
  const faces = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    const [a, b, c, d] = [i, j, n + i, n + j];
    const up = 2 * n;
    faces.push(a, up + b, b, a, up + a, up + b);
    faces.push(c, d, up + d, c, up + d, up + c);
    faces.push(a, b, d, a, d, c);
    faces.push(up + a, up + d, up + b, up + a, up + c, up + d);
  }
  return { vertices, faces };
}

/** A spur gear: involute flanks of 20° between root and tip circle; half of the play is taken off each flank. */
function drawGear(teeth, module, height) {
  const pitch = (module * teeth) / 2;
  const base = pitch * Math.cos(Math.PI / 9);
  const tip = pitch + 0.9 * module;
  const root = pitch - 1.2 * module;
  const involute = (r) => {
    const angle = Math.acos(Math.min(1, base / r));
    return Math.tan(angle) - angle;
  };
  const thickness = Math.PI / (2 * teeth) - 1e-4 / pitch + involute(pitch);
  const outline = [];
  const steps = 4;
  const start = Math.max(base, root);
  for (let k = 0; k < teeth; k++) {
    const middle = (2 * Math.PI * k) / teeth;
    const flank = Array.from({ length: steps + 1 }, (_, i) => start + ((tip - start) * i) / steps).map((r) => [
      r,
      thickness - involute(r),
    ]);
    if (start > root) flank.unshift([root, thickness]);
    for (const [r, half] of flank) outline.push([r * Math.cos(middle - half), r * Math.sin(middle - half)]);
    for (const [r, half] of flank.reverse()) outline.push([r * Math.cos(middle + half), r * Math.sin(middle + half)]);
  }
  return extrude(outline, height);
}

/** A link of a chain: wire of radius `wire` along a stadium in the x z plane, straight for 2 `half` and bent with radius `bend`. */
function bendLink(half, bend, wire, corners, around) {
  const path = [];
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * (i + 0.5)) / corners;
    path.push([bend * Math.cos(angle), (angle < Math.PI ? half : -half) + bend * Math.sin(angle), angle]);
  }
  const vertices = [];
  for (const [x, z, angle] of path) {
    for (let k = 0; k < around; k++) {
      const turn = (2 * Math.PI * k) / around;
      const out = wire * Math.cos(turn);
      vertices.push(x + out * Math.cos(angle), wire * Math.sin(turn), z + out * Math.sin(angle));
    }
  }
  const faces = [];
  for (let i = 0; i < corners; i++) {
    for (let k = 0; k < around; k++) {
      const [a, b] = [i * around + k, i * around + ((k + 1) % around)];
      const [c, d] = [((i + 1) % corners) * around + k, ((i + 1) % corners) * around + ((k + 1) % around)];
      faces.push(a, b, d, a, d, c);
    }
  }
  return { vertices, faces, inertia: 'exact' };
}
