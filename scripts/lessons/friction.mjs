// Lessons about friction.
import { BLUE, ball, box, floor, free, head, marks, ORANGE, question, STEEL, TEAL } from './parts.mjs';

const TILT = 'radians(angle)';
const TILTED = [`cos(${TILT}/2)`, '0', `sin(${TILT}/2)`, '0'];

export function frictionAngle() {
  const half = Math.PI / 18;
  const tilt = [Math.cos(half), 0, Math.sin(half), 0];
  const along = (offset) => [offset * Math.sin(2 * half), 0, offset * Math.cos(2 * half)];
  return {
    ...head('Friction angle', 'A block on a slope: it slides when the slope is steeper than the friction angle.', {
      formulation: 'sap',
    }),
    shapes: [box('slope', [1.6, 0.5, 0.03], { position: along(-0.03), orientation: tilt, friction: 0, color: STEEL })],
    bodies: [
      free('block', along(0.1), [box('block', [0.15, 0.15, 0.1], { mass: 1, friction: 0.4, color: BLUE })], {
        orientation: tilt,
      }),
    ],
    lesson: {
      title: 'When does a block begin to slide?',
      text: [
        'Weight pulls the block down the slope with $m g \\sin\\alpha$. Friction can resist at most $\\mu m g \\cos\\alpha$.',
        'So the block stays at rest as long as $\\tan\\alpha \\le \\mu$. Beyond that it slides by $s = \\tfrac12 g\\,(\\sin\\alpha - \\mu\\cos\\alpha)\\,t^2$.',
        'Compare the contact models on a slope below the friction angle: the block should not move at all. Any remaining motion is creep: `mujoco` softens friction, `ipc` smooths it at low speed.',
      ],
      sliders: [
        {
          name: 'mu',
          label: 'Friction of the block',
          minimum: 0.05,
          maximum: 1,
          step: 0.01,
          value: 0.4,
          targets: [{ path: 'shapes.block.friction' }],
        },
        {
          name: 'angle',
          label: 'Angle of the slope',
          unit: '°',
          minimum: 5,
          maximum: 35,
          step: 0.5,
          value: 20,
          targets: [
            { path: 'shapes.slope.orientation', formulas: TILTED },
            { path: 'shapes.slope.position', formulas: [`-0.03*sin(${TILT})`, '0', `-0.03*cos(${TILT})`] },
            { path: 'bodies.block.orientation', formulas: TILTED },
            { path: 'bodies.block.position', formulas: [`0.1*sin(${TILT})`, '0', `0.1*cos(${TILT})`] },
          ],
        },
      ],
      question: question(
        'Friction is 0.4. At which angle does the block begin to slide?',
        ['At about 15°', 'At about 22°', 'At about 40°', 'It depends on the mass'],
        1,
        'tan 21.8° = 0.4. The mass cancels out: weight and friction are both proportional to it.',
      ),
      measure: {
        label: 'Distance along the slope',
        unit: 'm',
        formula: `bodies.block.position.x*cos(${TILT}) - bodies.block.position.z*sin(${TILT})`,
      },
      closedForm: {
        label: 'Coulomb',
        formula: `tan(${TILT}) <= mu ? 0 : 4.905*(sin(${TILT}) - mu*cos(${TILT}))*time^2`,
        // a step of 2 ms is late by a h t / 2; friction that is smoothed at 1 mm/s creeps 1 mm in the second
        bound: `0.001 + max(0, 9.81*(sin(${TILT}) - mu*cos(${TILT})))*0.002`,
        formulations: ['sap', 'ccp', 'ipc'],
      },
      duration: 0.6,
      formulations: ['mujoco', 'sap', 'ipc'],
      checks: [{ values: [0.4, 20] }, { values: [0.2, 25] }],
    },
  };
}

export function stoppingDistance() {
  return {
    ...head('Stopping distance', 'A block is thrown along the floor. Friction brings it to rest.', {
      formulation: 'ccp',
      ccp: { coulomb: true },
    }),
    shapes: [floor({ friction: 0 }), ...marks(2.5)],
    bodies: [
      free('block', [0, 0, 0.05], [box('block', [0.15, 0.15, 0.05], { mass: 1, friction: 0.4, color: ORANGE })]),
    ],
    keyframes: [{ name: 'thrown', velocity: [2, 0, 0, 0, 0, 0] }],
    lesson: {
      title: 'How far does it slide?',
      text: [
        'Friction slows the block at the rate $\\mu g$. It stops after the time $t = v/(\\mu g)$ and the distance $s = v^2/(2\\mu g)$.',
        'Twice the speed means four times the distance. That is why the stopping distance of a car grows so fast.',
        'Convex contact models lift a sliding body a little, by $\\mu v h$: try `sap` and `mujoco`.',
      ],
      sliders: [
        {
          name: 'v',
          label: 'Initial speed',
          unit: 'm/s',
          minimum: 0.5,
          maximum: 4,
          step: 0.1,
          value: 2,
          targets: [{ path: 'keyframes.thrown.velocity', formulas: ['v', '0', '0', '0', '0', '0'] }],
        },
        {
          name: 'mu',
          label: 'Friction of the block',
          minimum: 0.1,
          maximum: 1,
          step: 0.01,
          value: 0.4,
          targets: [{ path: 'shapes.block.friction' }],
        },
      ],
      question: question(
        'The block is thrown twice as fast. How much farther does it slide?',
        ['As far as before', 'Twice as far', 'Four times as far', 'Eight times as far'],
        2,
        'The kinetic energy is four times as large, and friction takes away the same energy on every metre.',
      ),
      measure: { label: 'Distance', unit: 'm', formula: 'bodies.block.position.x' },
      closedForm: {
        label: 'v t − μ g t²/2',
        formula: 'time < v/(9.81*mu) ? v*time - 4.905*mu*time^2 : v^2/(19.62*mu)',
        // the velocity at the end of a step moves the block: v h / 2 is missing; friction smoothed at 1 mm/s creeps
        bound: '0.002*v + 0.002',
        formulations: ['ccp', 'ipc'],
      },
      duration: 0.8,
      formulations: ['ccp', 'sap', 'ipc'],
      checks: [{ values: [2, 0.4] }, { values: [1, 0.2] }],
    },
  };
}

export function slideToRoll() {
  return {
    ...head(
      'From sliding to rolling',
      'A ball is thrown without spin. Friction slows it down and spins it up until it rolls.',
      {
        formulation: 'ccp',
        ccp: { coulomb: true },
      },
    ),
    shapes: [floor({ friction: 0 }), ...marks(2.5)],
    bodies: [
      free(
        'ball',
        [0, 0, 0.11],
        [ball('ball', 0.11, { mass: 5, friction: 0.2, spinFriction: 0, rollFriction: 0, color: TEAL })],
      ),
    ],
    keyframes: [{ name: 'thrown', velocity: [3, 0, 0, 0, 0, 0] }],
    lesson: {
      title: 'How fast does a bowling ball roll in the end?',
      text: [
        'While the ball slides, friction slows it by $\\mu g$ and spins it up. It rolls once its rim turns as fast as the ball moves: $v = \\omega r$.',
        'For a solid ball that happens at $t = \\tfrac{2}{7}\\,v_0/(\\mu g)$. From then on $v = \\tfrac57 v_0$, whatever the friction.',
        'Convex contact models such as `sap` lift a sliding body very slightly at first, so friction sets in a little late.',
      ],
      sliders: [
        {
          name: 'mu',
          label: 'Friction of the ball',
          minimum: 0.05,
          maximum: 0.6,
          step: 0.01,
          value: 0.2,
          targets: [{ path: 'shapes.ball.friction' }],
        },
        {
          name: 'v',
          label: 'Initial speed',
          unit: 'm/s',
          minimum: 1,
          maximum: 6,
          step: 0.1,
          value: 3,
          targets: [{ path: 'keyframes.thrown.velocity', formulas: ['v', '0', '0', '0', '0', '0'] }],
        },
      ],
      question: question(
        'The lane is made twice as rough. What happens to the speed at which the ball rolls in the end?',
        ['It is halved', 'It stays the same', 'It doubles'],
        1,
        'More friction makes the ball roll sooner, but its angular momentum about the point on the floor does not change: 5/7 of the speed is left.',
      ),
      measure: { label: 'Speed', unit: 'm/s', formula: 'bodies.ball.velocity.x' },
      closedForm: {
        label: 'theory',
        formula: 'time < 2/7*v/(9.81*mu) ? v - 9.81*mu*time : 5/7*v',
        // friction of one step, and what friction that is smoothed at 1 mm/s leaves
        bound: '9.81*mu*0.002 + 0.005',
        formulations: ['ccp', 'ipc'],
      },
      duration: 0.8,
      formulations: ['ccp', 'sap', 'ipc'],
      checks: [{ values: [0.2, 3] }, { values: [0.5, 2] }],
    },
  };
}
