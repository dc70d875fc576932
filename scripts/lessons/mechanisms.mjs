// Lessons about joints, spin and soft bodies.
import { BLUE, ball, box, floor, head, ORANGE, question, STEEL, TEAL } from './parts.mjs';

const REACH = 0.3;
const MASS = 1;
/** Of a disc of radius 0.2 m about its axle, kg m². */
const SPIN_INERTIA = 0.5 * MASS * 0.2 ** 2;
const ACROSS = 0.5 * SPIN_INERTIA;

export function gyroscope() {
  const rate = `(${(9.81 * MASS * REACH).toPrecision(12)}/(${SPIN_INERTIA}*w))`;
  return {
    ...head('Gyroscope', 'A spinning wheel held at one end of its axle does not fall: it precesses.', {
      timestep: 0.001,
      formulation: 'sap',
      disable: ['contact'],
    }),
    shapes: [{ kind: 'cylinder', name: 'post', position: [0, 0, -0.3], radius: 0.02, halfLength: 0.3, color: STEEL }],
    bodies: [
      {
        name: 'axle',
        joints: [{ kind: 'ball', name: 'pivot' }],
        inertia: {
          kind: 'principal',
          mass: MASS,
          center: [REACH, 0, 0],
          moments: [SPIN_INERTIA, ACROSS, ACROSS],
        },
        shapes: [
          {
            kind: 'capsule',
            name: 'rod',
            position: [REACH / 2, 0, 0],
            orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
            radius: 0.012,
            halfLength: REACH / 2,
            color: STEEL,
          },
        ],
        bodies: [
          {
            name: 'wheel',
            position: [REACH, 0, 0],
            shapes: [
              {
                kind: 'cylinder',
                name: 'wheel',
                orientation: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
                radius: 0.2,
                halfLength: 0.02,
                mass: 0.0000001,
                color: ORANGE,
              },
              box('mark', [0.022, 0.15, 0.02], { mass: 0.0000001, color: BLUE }),
            ],
          },
        ],
      },
    ],
    keyframes: [{ name: 'spinning', velocity: [100, 0, 1.4715] }],
    lesson: {
      title: 'Why does it not fall?',
      text: [
        'Weight turns the wheel about a horizontal axis with the torque $m g r$. The angular momentum $L = I\\omega$ must change in the direction of the torque: sideways, not down.',
        'So the axle precesses at the rate $\\Omega = \\dfrac{m g r}{I\\,\\omega}$. The faster it spins, the slower it precesses.',
      ],
      sliders: [
        {
          name: 'w',
          label: 'Spin of the wheel',
          unit: 'rad/s',
          minimum: 60,
          maximum: 300,
          step: 5,
          value: 100,
          targets: [{ path: 'keyframes.spinning.velocity', formulas: ['w', '0', rate] }],
        },
      ],
      question: question(
        'The wheel spins twice as fast. How fast does the axle precess?',
        ['Half as fast', 'As fast as before', 'Twice as fast'],
        0,
        'Ω = m g r / (I ω): twice the spin, half the rate.',
      ),
      measure: {
        label: 'Angle of precession',
        unit: 'rad',
        formula: 'atan2(bodies.wheel.position.y, bodies.wheel.position.x)',
      },
      closedForm: {
        label: 'Ω t',
        formula: `${rate}*time`,
        bound: '0.02',
        formulations: ['mujoco', 'sap'],
      },
      duration: 1,
      formulations: ['mujoco', 'sap'],
      checks: [{ values: [100] }, { values: [200] }],
    },
  };
}

export function multipliers() {
  return {
    ...head(
      'Multipliers against springs',
      'A weight hangs from a joint that is held by a stiff spring, or by a multiplier.',
      {
        timestep: 0.01,
        formulation: 'ipc',
        ipc: { joints: 'penalty', jointPenalty: 10 },
        disable: ['contact'],
      },
    ),
    shapes: [box('beam', [0.4, 0.05, 0.05], { position: [0, 0, 1.05], color: STEEL })],
    bodies: [
      {
        name: 'weight',
        position: [0, 0, 0.5],
        joints: [{ kind: 'ball', name: 'hook', anchor: [0, 0, 0.5] }],
        shapes: [
          ball('weight', 0.12, { mass: 2, color: TEAL }),
          {
            kind: 'capsule',
            name: 'cord',
            position: [0, 0, 0.25],
            radius: 0.01,
            halfLength: 0.24,
            mass: 0,
            color: STEEL,
          },
        ],
      },
    ],
    lesson: {
      title: 'Why do joints not come apart?',
      text: [
        'A penalty method holds a joint with a spring. The spring must stretch to carry the weight: its stiffness is $k = \\gamma m/h^2$, so the joint opens by $\\delta = m g/k = g h^2/\\gamma$. A stiffer spring opens less, but makes the step harder to solve.',
        'The augmented Lagrangian method adds a multiplier: a force that is corrected in a few rounds until the joint is closed, for any $\\gamma$.',
      ],
      sliders: [
        {
          name: 'gamma',
          label: 'Stiffness γ of the joint',
          minimum: 3,
          maximum: 1000,
          logarithmic: true,
          value: 10,
          targets: [{ path: 'ipc.jointPenalty' }],
        },
        {
          name: 'method',
          label: 'Method',
          minimum: 0,
          maximum: 1,
          step: 1,
          value: 0,
          choices: ['penalty', 'augmentedLagrangian'],
          targets: [{ path: 'ipc.joints' }],
        },
      ],
      question: question(
        'With the penalty method, the weight is made ten times heavier and γ stays the same. How much farther does the joint open?',
        ['Not at all', 'Three times as far', 'Ten times as far'],
        0,
        'The stiffness is γ m / h²: it grows with the mass, so the mass cancels out.',
      ),
      measure: { label: 'Opening of the joint', unit: 'm', formula: '0.5 - bodies.weight.position.z' },
      closedForm: {
        label: 'g h²/γ, or 0',
        formula: 'time < 0.3 ? 0/0 : method < 0.5 ? 9.81*0.01^2/gamma : 0',
        bound: '0.05*9.81*0.01^2/gamma + 0.000002',
        formulations: ['ipc'],
      },
      duration: 0.5,
      formulations: ['ipc'],
      checks: [{ values: [10, 0] }, { values: [100, 0] }, { values: [10, 1] }],
    },
  };
}

export function softPress() {
  return {
    ...head(
      'Stress in a soft block',
      'A plate presses on a soft block. Stress is force over area, however stiff the block is.',
      {
        timestep: 0.005,
        formulation: 'sap',
      },
    ),
    materials: [{ name: 'smooth', friction: 0 }],
    shapes: [floor({ friction: 0 })],
    softBodies: [
      {
        name: 'block',
        mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [2, 2, 2] },
        position: [0, 0, 0.1015],
        elasticity: { youngsModulus: 400000, poissonRatio: 0.3, density: 100, stiffnessDamping: 0.02 },
        material: 'smooth',
        color: ORANGE,
      },
    ],
    bodies: [
      {
        name: 'plate',
        position: [0, 0, 0.225],
        joints: [{ kind: 'slide', name: 'guide', axis: [0, 0, 1] }],
        shapes: [box('plate', [0.14, 0.14, 0.02], { mass: 20, friction: 0, color: STEEL })],
      },
    ],
    lesson: {
      title: 'What does stress depend on?',
      text: [
        'The bottom of the block carries the plate and the block itself, $m_b$ = 0.8 kg, on the area $A$. The stress there is $\\sigma = (m + m_b)\\,g/A$. It does not depend on how stiff the block is.',
        'How far the block is compressed does: the strain is $\\varepsilon = \\sigma/E$.',
      ],
      sliders: [
        {
          name: 'm',
          label: 'Mass of the plate',
          unit: 'kg',
          minimum: 5,
          maximum: 50,
          step: 1,
          value: 20,
          targets: [{ path: 'shapes.plate.mass' }],
        },
        {
          name: 'E',
          label: "Young's modulus",
          unit: 'Pa',
          minimum: 200000,
          maximum: 2000000,
          logarithmic: true,
          value: 400000,
          targets: [{ path: 'softBodies.block.E' }],
        },
      ],
      question: question(
        'The block is made twice as stiff. What happens to the stress in it?',
        ['It is halved', 'It stays the same', 'It doubles'],
        1,
        'Stress is force over area. Stiffness only changes how far the block is compressed.',
      ),
      measure: { label: 'Largest stress', unit: 'Pa', formula: 'softBodies.block.stress' },
      closedForm: {
        label: '(m + 0.8 kg) g / A',
        formula: 'time < 0.8 ? 0/0 : 9.81*(m + 0.8)/0.04',
        // two cells do not press evenly: 3 %; an element has the stress of its middle, above a quarter of the block: 0.2 kg;
        // strain widens the block by 2 nu sigma/E
        bound: '9.81/0.04*(0.03*(m + 0.8) + 0.2 + (m + 0.8)*0.6*9.81*(m + 0.8)/(0.04*E))',
        formulations: ['sap', 'ccp', 'ipc', 'mujoco'],
      },
      duration: 1,
      formulations: ['sap', 'ipc'],
      checks: [{ values: [20, 400000] }, { values: [5, 2000000] }, { values: [50, 200000] }],
    },
  };
}
