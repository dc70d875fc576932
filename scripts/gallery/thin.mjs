// Scenes of cloth and cables.
import { blue, contactScene, floor, red, sand, steel } from './stage.mjs';

export function drapedBall() {
  const s = contactScene(
    'Cloth on a ball',
    'A cloth falls on a ball and hangs from it in folds. Ctrl and drag to pull it off.',
    {
      formulation: 'sap',
      timestep: 0.016,
    },
  ).material('cotton', { friction: 0.6 });
  s.plane('floor', { color: floor, material: 'cotton' });
  s.cylinder('stand', { from: [0, 0, 0], to: [0, 0, 0.1], radius: 0.03, color: steel, contact: 'none' });
  s.sphere('ball', { position: [0, 0, 0.18], radius: 0.1, color: sand, material: 'cotton' });
  s.softBody('cloth', {
    position: [0, 0, 0.3],
    orientation: [Math.cos(0.2), 0, 0, Math.sin(0.2)],
    mesh: { kind: 'grid', size: [0.46, 0.46], cells: [13, 13], thickness: 0.008 },
    material: 'cotton',
    elasticity: {
      youngsModulus: 2e5,
      poissonRatio: 0.3,
      density: 250,
      bendingStiffness: 2e-4,
      stiffnessDamping: 0.003,
    },
    color: [0.24, 0.48, 0.86, 1],
  });
  return s.build();
}

/** Points of a cable that hangs over a pole of this radius on both sides, from left to right. */
function drape(radius, hang, edges) {
  const points = [];
  const arc = Math.PI * radius;
  const length = arc + 2 * hang;
  for (let k = 0; k <= edges; k++) {
    const s = (k / edges) * length;
    if (s < hang) points.push(-radius, 0, s - hang);
    else if (s > hang + arc) points.push(radius, 0, hang + arc - s);
    else points.push(-radius * Math.cos((s - hang) / radius), 0, radius * Math.sin((s - hang) / radius));
  }
  return points;
}

export function capstan() {
  const s = contactScene(
    'Cable on a pole',
    'Friction holds 2 kg against 1 kg over half a turn: e^(0.4 π) = 3.5. On the smooth pole behind, the cable slips.',
    { formulation: 'sap', timestep: 0.005 },
  )
    .material('rough', { friction: 0.4 })
    .material('smooth', { friction: 0.1 });
  s.plane('floor', { color: floor });
  const [radius, thickness, hang, edges] = [0.06, 0.008, 0.2, 36];
  for (const [name, y, material, color] of [
    ['rough', -0.12, 'rough', red],
    ['smooth', 0.12, 'smooth', blue],
  ]) {
    s.capsule(`${name}Pole`, {
      from: [0, y - 0.06, 0.5],
      to: [0, y + 0.06, 0.5],
      radius,
      material,
      color: steel,
    });
    for (const [side, x, mass] of [
      ['light', -1, 1],
      ['heavy', 1, 2],
    ]) {
      s.body(`${name}-${side}`, { position: [x * (radius + thickness + 0.002), y, 0.5 - hang - 0.03] })
        .free()
        .sphere({ radius: 0.022 + 0.006 * mass, mass, color });
    }
    s.softBody(`${name}Cable`, {
      position: [0, y, 0.5],
      mesh: { kind: 'polyline', points: drape(radius + thickness + 0.002, hang, edges), radius: thickness },
      material,
      margin: 0.001,
      elasticity: {
        youngsModulus: 2e7,
        poissonRatio: 0.3,
        density: 600,
        bendingStiffness: 1e-4,
        stiffnessDamping: 0.003,
      },
      attachments: [
        { vertices: [0], body: `${name}-light`, clamp: false },
        { vertices: [edges], body: `${name}-heavy`, clamp: false },
      ],
      color: [0.9, 0.62, 0.2, 1],
    });
  }
  return s.build();
}
