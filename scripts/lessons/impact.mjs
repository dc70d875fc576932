// Lessons about impacts, steps and stiffness.
import { BLUE, ball, box, floor, free, head, ORANGE, question, STEEL, TEAL } from './parts.mjs';

export function bounce() {
  return {
    ...head('Bounce', 'A ball falls on the floor and bounces back to the square of its restitution.', {
      timestep: 0.001,
      formulation: 'ccp',
    }),
    materials: [{ name: 'rubber', restitution: 0.7 }],
    shapes: [floor()],
    bodies: [free('ball', [0, 0, 1.1], [ball('ball', 0.1, { mass: 0.5, material: 'rubber', color: ORANGE })])],
    lesson: {
      title: 'How high does it bounce?',
      text: [
        'The restitution $e$ is the speed after the impact divided by the speed before it. Energy goes with the square of the speed, so the ball bounces back to $e^2$ of its height.',
        'Restitution is defined for impacts in one instant, as `ccp` resolves them. The other contact models describe bouncing by stiffness and damping.',
      ],
      sliders: [
        {
          name: 'e',
          label: 'Restitution',
          minimum: 0,
          maximum: 1,
          step: 0.01,
          value: 0.7,
          targets: [{ path: 'materials.rubber.restitution' }],
        },
        {
          name: 'drop',
          label: 'Drop height',
          unit: 'm',
          minimum: 0.3,
          maximum: 2,
          step: 0.05,
          value: 1,
          targets: [{ path: 'bodies.ball.position', formulas: ['0', '0', 'drop + 0.1'] }],
        },
      ],
      question: question(
        'The restitution is 0.7. How high does the ball bounce after a fall of one metre?',
        ['0.35 m', '0.49 m', '0.70 m', '0.84 m'],
        1,
        '0.7² = 0.49: energy goes with the square of the speed.',
      ),
      measure: { label: 'Height', unit: 'm', formula: 'bodies.ball.position.z - 0.1' },
      closedForm: {
        label: 'theory, up to the second impact',
        formula:
          'time < sqrt(drop/4.905) ? drop - 4.905*time^2 : time < (1 + 2*e)*sqrt(drop/4.905) ? e*9.81*sqrt(drop/4.905)*(time - sqrt(drop/4.905)) - 4.905*(time - sqrt(drop/4.905))^2 : 0/0',
        // the impact is found within a step: the speed of the impact times two steps
        bound: '2*0.001*sqrt(19.62*drop)*(1 + e)',
        formulations: ['ccp'],
      },
      duration: 1,
      formulations: ['ccp'],
      checks: [{ values: [0.7, 1] }, { values: [0.3, 0.5] }],
    },
  };
}

export function tunnelling() {
  return {
    ...head(
      'Tunnelling',
      'A fast ball meets a thin wall. If contact is detected only at the end of each step, the ball can pass through.',
      {
        timestep: 0.005,
        gravity: [0, 0, 0],
        fastBodies: 'off',
        formulation: 'sap',
      },
    ),
    shapes: [box('wall', [0.005, 0.5, 0.5], { position: [1, 0, 0], friction: 0, color: STEEL })],
    bodies: [free('ball', [0, 0, 0], [ball('ball', 0.03, { mass: 0.1, friction: 0, color: BLUE })])],
    keyframes: [{ name: 'shot', velocity: [60, 0, 0, 0, 0, 0] }],
    lesson: {
      title: 'Can a ball pass through a wall?',
      text: [
        'In a step of $h$ a ball moves by $v h$. If that is more than the thickness of wall and ball together, there may be no step in which they overlap, and nothing pushes the ball back.',
        '`ipc` stops every step before surfaces would meet: nothing passes, at any speed. The other contact models look ahead for fast bodies, too (`fastBodies`); this scene has that switched off.',
      ],
      sliders: [
        {
          name: 'v',
          label: 'Speed of the ball',
          unit: 'm/s',
          minimum: 2,
          maximum: 100,
          step: 1,
          value: 60,
          targets: [{ path: 'keyframes.shot.velocity', formulas: ['v', '0', '0', '0', '0', '0'] }],
        },
        {
          name: 'h',
          label: 'Time step',
          unit: 's',
          minimum: 0.0005,
          maximum: 0.02,
          logarithmic: true,
          value: 0.005,
          targets: [{ path: 'timestep' }],
        },
      ],
      question: question(
        'The wall is 1 cm thick, the ball 6 cm. The time step is 5 ms. Which speed is certainly safe?',
        ['Below 14 m/s', 'Below 60 m/s', 'Any speed', 'None'],
        0,
        '7 cm / 5 ms = 14 m/s: below that, they overlap in at least one step.',
      ),
      measure: { label: 'Position of the ball', unit: 'm', formula: 'bodies.ball.position.x' },
      closedForm: {
        label: 'stops at the wall',
        formula: 'min(v*time, 1 - 0.005 - 0.03)',
        // within the step of the impact the place is known to v h; the barrier keeps up to 1 mm away and pushes back
        bound: 'v*h + 0.002',
        formulations: ['ipc'],
      },
      duration: 0.1,
      formulations: ['sap', 'ipc'],
      checks: [{ values: [60, 0.005] }, { values: [20, 0.002] }],
    },
  };
}

export function timeStep() {
  return {
    ...head(
      'What a time step does',
      'A ball is thrown up. The longer the time step, the larger the error of its path.',
      {
        timestep: 0.02,
        formulation: 'sap',
        disable: ['contact'],
      },
    ),
    shapes: [floor(), box('pole', [0.01, 0.01, 0.7], { position: [-0.25, 0, 0.7], contact: 'none', color: STEEL })],
    bodies: [free('ball', [0, 0, 0.1], [ball('ball', 0.1, { mass: 1, color: TEAL })])],
    keyframes: [{ name: 'thrown', velocity: [0, 0, 5, 0, 0, 0] }],
    lesson: {
      title: 'What does a longer time step cost?',
      text: [
        'A step of $h$ adds $g h$ to the speed and then moves by the new speed. That is a little too much: after the time $t$ the error is $\\tfrac12 g h t$.',
        'Half the step, half the error: the method is of first order. `ipc` uses the speeds of two steps (BDF2), a method of second order: half the step, a quarter of the error.',
      ],
      sliders: [
        {
          name: 'h',
          label: 'Time step',
          unit: 's',
          minimum: 0.001,
          maximum: 0.05,
          logarithmic: true,
          value: 0.02,
          targets: [{ path: 'timestep' }],
        },
      ],
      question: question(
        'The step is made ten times shorter. How does the error of a first-order method change?',
        ['It stays the same', 'It is ten times smaller', 'It is a hundred times smaller'],
        1,
        'First order means that the error is proportional to the step.',
      ),
      measure: { label: 'Height', unit: 'm', formula: 'bodies.ball.position.z - 0.1' },
      closedForm: {
        label: 'v t − g t²/2',
        formula: '5*time - 4.905*time^2',
        // g h t / 2 at the end of the lesson, and a thousandth for rounding
        bound: '4.905*h*1.02*1.001',
        formulations: ['mujoco', 'sap', 'ccp', 'ipc'],
      },
      duration: 1,
      formulations: ['sap', 'ipc'],
      checks: [{ values: [0.02] }, { values: [0.002] }],
    },
  };
}

export function stiffContact() {
  return {
    ...head('Stiff and soft contact', 'A ball rests on a contact of given stiffness and sinks by m g / k.', {
      formulation: 'sap',
    }),
    materials: [{ name: 'surface', stiffness: 10000, dissipation: 0.05 }],
    shapes: [floor()],
    bodies: [free('ball', [0, 0, 0.2], [ball('ball', 0.2, { mass: 10, material: 'surface', color: BLUE })])],
    lesson: {
      title: 'How deep does it sink?',
      text: [
        'A soft contact is a spring: the ball sinks until $k\\,\\delta = m g$.',
        'Stiffer contact sinks less but needs a shorter step or a better solver: a spring of stiffness $k$ oscillates with the period $2\\pi\\sqrt{m/k}$, which the steps must resolve. `sap` evaluates the spring at the end of the step and stays stable at any stiffness, but contacts are never stiffer than the step allows.',
        '`ccp` reads the same stiffness as a compliance. `ipc` has no contact stiffness: it keeps a tiny gap.',
      ],
      sliders: [
        {
          name: 'k',
          label: 'Stiffness of the contact',
          unit: 'N/m',
          minimum: 5000,
          maximum: 1000000,
          logarithmic: true,
          value: 10000,
          targets: [{ path: 'materials.surface.stiffness' }],
        },
        {
          name: 'm',
          label: 'Mass of the ball',
          unit: 'kg',
          minimum: 1,
          maximum: 20,
          step: 1,
          value: 10,
          targets: [{ path: 'shapes.ball.mass' }],
        },
      ],
      question: question(
        'The contact is made ten times stiffer. How does the depth change?',
        ['It stays the same', 'It is ten times smaller', 'It is a hundred times smaller'],
        1,
        'δ = m g / k.',
      ),
      measure: { label: 'Depth', unit: 'm', formula: '0.2 - bodies.ball.position.z' },
      closedForm: {
        label: 'm g / k at rest',
        // the swing decays as exp(-k tau t / (2 m)), by 500 within a second at least
        formula: 'time < 1 ? 0/0 : 9.81*m/k',
        bound: '0.01*9.81*m/k + 0.000001',
        formulations: ['sap', 'ccp'],
      },
      duration: 1.2,
      formulations: ['mujoco', 'sap', 'ccp', 'ipc'],
      checks: [{ values: [10000, 10] }, { values: [5000, 20] }, { values: [100000, 10] }],
    },
  };
}
