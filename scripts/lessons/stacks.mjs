// Lessons about things that stand on each other.
import { box, floor, free, head, ORANGE, question, SAND, STEEL } from './parts.mjs';

const STONES = 15;
const WEDGE = Math.PI / STONES;

/** A stone of an arch of radius 1 m in its own frame: x outwards, z along the arch. */
function stoneCorners(thickness) {
  const corners = [];
  for (const y of [-0.14, 0.14])
    for (const side of [-1, 1]) for (const rim of [-1, 1]) corners.push([rim, y, side, thickness]);
  return corners;
}

export function archThickness() {
  const formulas = stoneCorners().flatMap(([rim, y, side]) => {
    const radius = `(1 ${rim < 0 ? '-' : '+'} t/2)`;
    return [
      `${radius}*${Math.cos(WEDGE / 2).toPrecision(12)} - 1`,
      String(y),
      `${side < 0 ? '-' : ''}${radius}*${Math.sin(WEDGE / 2).toPrecision(12)}`,
    ];
  });
  const vertices = stoneCorners().flatMap(([rim, y, side]) => {
    const radius = 1 + (rim * 0.14) / 2;
    return [radius * Math.cos(WEDGE / 2) - 1, y, side * radius * Math.sin(WEDGE / 2)];
  });
  return {
    ...head(
      'How thin can an arch be?',
      'Fifteen loose stones in a semicircle: in theory they stand down to 0.1075 of the radius.',
      {
        timestep: 0.004,
        formulation: 'ccp',
        mujoco: { cone: 'elliptic', impedanceRatio: 100 },
      },
    ),
    meshes: [{ name: 'stone', vertices }],
    shapes: [floor({ friction: 1 })],
    bodies: Array.from({ length: STONES }, (_, i) => {
      const angle = (i + 0.5) * WEDGE;
      // x outwards: turned about y by minus the angle
      return free(
        `stone${i + 1}`,
        [Math.cos(angle), 0, Math.sin(angle)],
        [{ kind: 'convexMesh', mesh: 'stone', density: 2000, friction: 1, color: i === 7 ? ORANGE : SAND }],
        { orientation: [Math.cos(angle / 2), 0, -Math.sin(angle / 2), 0] },
      );
    }),
    lesson: {
      title: 'How thin can an arch be?',
      text: [
        'Stones without mortar can push but not pull. The line of thrust must stay inside the stones. For a semicircle this is possible down to a thickness of $t/R = 0.1075$ (Milankovitch 1907); thinner arches fold up at five hinges.',
        'Fifteen stones can open only at their joints: for them the limit is 0.1061.',
        'Soft contact lets the joints give way, so with a softer contact model the arch must be thicker.',
      ],
      sliders: [
        {
          name: 't',
          label: 'Thickness over radius',
          minimum: 0.06,
          maximum: 0.25,
          step: 0.0025,
          value: 0.14,
          targets: [{ path: 'meshes.stone.vertices', formulas }],
        },
      ],
      question: question(
        'A semicircle of stones has a radius of 10 m. How thin can it be?',
        ['10 cm', '50 cm', 'About 1.1 m', '2 m'],
        2,
        'Limit analysis gives 0.1075 of the radius.',
      ),
      measure: { label: 'Drop of the keystone', unit: 'm', formula: '1 - bodies.stone8.position.z' },
      closedForm: {
        label: 'stands',
        formula: 't < 0.12 ? 0/0 : 0',
        // joints of rigid contact give way by their tolerances: a gap of 1 mm at each of eight joints
        bound: '0.008',
        formulations: ['ccp', 'ipc'],
      },
      duration: 0.5,
      formulations: ['ccp', 'mujoco'],
      checks: [{ values: [0.14] }],
    },
  };
}

export function heavyTop() {
  const sizes = [0.2, 0.2, 0.2, 0.2];
  return {
    ...head(
      'A heavy load on a light tower',
      'A light tower carries a load up to a thousand times as heavy as a brick.',
      {
        formulation: 'ccp',
      },
    ),
    shapes: [floor({ friction: 0.8 })],
    bodies: [
      ...sizes.map((half, i) =>
        free(
          `brick${i + 1}`,
          [0, 0, 0.1 + 0.2 * i],
          [box(`brick${i + 1}`, [half, half, 0.1], { mass: 1, friction: 0.8, color: SAND })],
        ),
      ),
      free('load', [0, 0, 1], [box('load', [0.2, 0.2, 0.2], { mass: 100, friction: 0.8, color: STEEL })]),
    ],
    lesson: {
      title: 'How much can a light tower carry?',
      text: [
        'Every brick carries everything above it: the lowest contact transmits $(M + 4m)\\,g$ through bodies of mass $m$. The ratio $M/m$ decides how hard the step is to solve.',
        'A rigid tower does not sink at all. Springs sink by the load over their stiffness. A solver that stops too early also lets the tower sag.',
      ],
      sliders: [
        {
          name: 'M',
          label: 'Mass of the load',
          unit: 'kg',
          minimum: 1,
          maximum: 1000,
          logarithmic: true,
          value: 100,
          targets: [{ path: 'shapes.load.mass' }],
        },
      ],
      question: question(
        'The load is made ten times heavier. How much farther does a rigid tower sink?',
        ['Not at all', 'Twice as far', 'Ten times as far'],
        0,
        'Rigid bodies do not sink, whatever the load. Only soft contact does.',
      ),
      measure: { label: 'How far the load sinks', unit: 'm', formula: '1 - bodies.load.position.z' },
      closedForm: {
        label: 'rigid',
        formula: '0',
        // ipc keeps up to 1 mm between each of five pairs; ccp 0.2 mm of tolerance at most
        bound: '0.005',
        formulations: ['ccp', 'ipc'],
      },
      duration: 0.5,
      formulations: ['mujoco', 'sap', 'ccp', 'ipc'],
      checks: [{ values: [100] }, { values: [1000] }],
    },
  };
}
