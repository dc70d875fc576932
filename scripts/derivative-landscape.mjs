// node scripts/derivative-landscape.mjs: draws docs/derivatives-bounce.svg, the loss of a throw with a bounce over its first speed, with the gradients of `rollout` on it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackages, root } from './setup.mjs';

buildPackages();
const { compileModel, Simulation } = await import('@nexdyn/engine');
const { rollout } = await import('@nexdyn/engine/derivatives');

const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc'];
const TARGET = [0.35, 0.4];
const STEPS = 100;
const [LOW, HIGH] = [-3, 1];

function createBall(formulation) {
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.004, formulation, sap: { nearRigid: 0 } },
      materials: [
        {
          name: 'rubber',
          stiffness: 5e3,
          dissipation: 0,
          friction: 0.4,
          ...(formulation === 'ccp' && { restitution: 0.8 }),
        },
      ],
      shapes: [{ kind: 'plane', material: 'rubber' }],
      bodies: [
        {
          name: 'ball',
          position: [0, 0, 0.6],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', radius: 0.1, material: 'rubber', mass: 0.5 }],
        },
      ],
    }),
  );
}

const missOf = ({ position }) => [position[0] - TARGET[0], position[2] - TARGET[1]];
const lossOf = (state) => 0.5 * missOf(state).reduce((sum, x) => sum + x * x, 0);

function measure(formulation) {
  const simulation = createBall(formulation);
  const begin = (speed) => {
    simulation.reset();
    simulation.state.velocity.set([1, 0, speed]);
  };
  const curve = [];
  for (let speed = LOW; speed <= HIGH + 1e-9; speed += 0.02) {
    begin(speed);
    simulation.step(STEPS);
    curve.push([speed, lossOf(simulation.state)]);
  }
  const slopes = [];
  for (let speed = LOW + 0.25; speed < HIGH; speed += 0.5) {
    begin(speed);
    const run = rollout(simulation, undefined, { steps: STEPS });
    const [x, z] = missOf(run.simulation.state);
    const loss = new Float64Array(12);
    loss[0] = x;
    loss[2] = z;
    slopes.push([speed, lossOf(run.simulation.state), run.backward(loss).state[8]]);
  }
  return { formulation, curve, slopes };
}

const [WIDTH, HEIGHT, LEFT, TOP] = [330, 190, 44, 30];
const round = (x) => Number(x.toFixed(1));

function draw({ formulation, curve, slopes }, n) {
  const most = Math.max(...curve.map(([, loss]) => loss));
  const left = (n % 2) * (WIDTH + 30) + LEFT;
  const top = Math.floor(n / 2) * (HEIGHT + 30) + TOP;
  const [width, height] = [WIDTH - LEFT, HEIGHT - TOP];
  const x = (speed) => round(left + ((speed - LOW) / (HIGH - LOW)) * width);
  const y = (loss) => round(top + height * (1 - loss / (1.1 * most)));
  const line = curve.map(([speed, loss], i) => `${i === 0 ? 'M' : 'L'}${x(speed)} ${y(loss)}`).join('');
  const tangents = slopes.map(([speed, loss, slope]) => {
    // as long everywhere: 22 pixels to each side
    const dx = width / (HIGH - LOW);
    const dy = (slope * height) / (1.1 * most);
    const scale = 22 / Math.hypot(dx, dy);
    const [cx, cy] = [x(speed), y(loss)];
    return `<path d="M${round(cx - scale * dx)} ${round(cy + scale * dy)}L${round(cx + scale * dx)} ${round(cy - scale * dy)}" stroke="#c2410c" stroke-width="2"/><circle cx="${cx}" cy="${cy}" r="3" fill="#c2410c"/>`;
  });
  const ticks = [-3, -2, -1, 0, 1].map(
    (speed) => `<text x="${x(speed)}" y="${top + height + 15}" text-anchor="middle">${speed}</text>`,
  );
  return `<g><rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#fff" stroke="#cbd5e1"/>
<text x="${left}" y="${top - 8}" font-weight="bold">${formulation}</text>
<text x="${left - 6}" y="${y(most) + 4}" text-anchor="end">${most.toPrecision(2)}</text><text x="${left - 6}" y="${top + height}" text-anchor="end">0</text>
${ticks.join('')}
<path d="${line}" fill="none" stroke="#1d4ed8" stroke-width="1.5"/>${tangents.join('')}</g>`;
}

const panels = FORMULATIONS.map((formulation) => measure(formulation)).map(draw);
const [w, h] = [2 * WIDTH + 60, 2 * HEIGHT + 70];
writeFileSync(
  join(root, 'docs/derivatives-bounce.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" width="${w}" height="${h}" font-family="system-ui, sans-serif" font-size="12" fill="#334155">
<title>Loss of a throw with a bounce over its first vertical speed, and its gradients</title>
<rect width="${w}" height="${h}" fill="#f8fafc"/>
${panels.join('\n')}
<text x="${w / 2}" y="${h - 8}" text-anchor="middle">vertical speed at the start, m/s; loss ½ |miss|² after 0.4 s, m²; lines: gradients of rollout().backward()</text>
</svg>
`,
);
