import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { linearize } from '@nexdyn/engine/derivatives';

// a cart on a short rail swings its pole up by iterative LQR, with derivatives of every step; limits of the rail and of the motor are contacts
const world = scene('cart-pole').timestep(0.02);
const cart = world.body('cart').slide('rail', { axis: [1, 0, 0], limit: { range: [-0.5, 0.5] }, damping: 0.05 });
cart.box({ halfSize: [0.1, 0.05, 0.05], mass: 1, contact: 'none' });
cart
  .body('pole')
  .hinge('pivot', { axis: [0, 1, 0] })
  .capsule({ from: [0, 0, 0], to: [0, 0, -0.6], radius: 0.02, mass: 0.3, contact: 'none' });
world.motor('push', { joint: 'rail', controlRange: [-20, 20] });
const simulation = new Simulation(compileModel(world.build()));
const steps = 100;
const rail = 0.5;

/** The pole hangs at 0 and is to stand at π, with the cart in the middle. */
const goal = [0, Math.PI, 0, 0];
const weight = [0.5, 1, 0.05, 0.05];
const last = [100, 400, 20, 20];
const effort = 1e-3;
type Run = { states: number[][]; controls: number[]; cost: number };

const costOf = (states: readonly number[][], controls: readonly number[]): number =>
  states.reduce(
    (sum, x, k) => {
      const w = k === steps ? last : weight.map((value) => value * simulation.timestep);
      return sum + x.reduce((part, value, i) => part + 0.5 * w[i]! * (value - goal[i]!) ** 2, 0);
    },
    controls.reduce((sum, u) => sum + 0.5 * effort * simulation.timestep * u * u, 0),
  );

function run(controlAt: (step: number, state: readonly number[]) => number): Run {
  simulation.reset();
  const read = (): number[] => [...simulation.state.position, ...simulation.state.velocity];
  const states = [read()];
  const controls: number[] = [];
  for (let k = 0; k < steps; k++) {
    const u = Math.max(-20, Math.min(20, controlAt(k, states[k]!)));
    simulation.state.control[0] = u;
    simulation.step();
    controls.push(u);
    states.push(read());
  }
  return { states, controls, cost: costOf(states, controls) };
}

/** One backward sweep: feedback K and feed-forward d of every step. */
function sweep({ states, controls }: Run, damping: number): { gains: number[][]; shifts: number[] } {
  const gains: number[][] = [];
  const shifts: number[] = [];
  let value = goal.map((_, i) => goal.map((__, j) => (i === j ? last[i]! : 0)));
  let slope = goal.map((target, i) => last[i]! * (states[steps]![i]! - target));
  for (let k = steps - 1; k >= 0; k--) {
    simulation.reset();
    simulation.state.position.set(states[k]!.slice(0, 2));
    simulation.state.velocity.set(states[k]!.slice(2));
    simulation.state.control[0] = controls[k]!;
    const { A, B } = linearize(simulation);
    const h = simulation.timestep;
    const a = goal.map((_, i) => [...A.subarray(4 * i, 4 * i + 4)]);
    const b = [...B];
    const times = (m: number[][], v: number[]): number[] => m.map((row) => row.reduce((s, x, j) => s + x * v[j]!, 0));
    const transposed = (m: number[][], v: number[]): number[] =>
      goal.map((_, j) => m.reduce((s, row, i) => s + row[j]! * v[i]!, 0));
    const dotted = (v: number[], w: number[]): number => v.reduce((s, x, i) => s + x * w[i]!, 0);
    const vb = times(value, b);
    const quu = effort * h + dotted(b, vb) + damping;
    const qu = effort * h * controls[k]! + dotted(b, slope);
    const qux = transposed(a, vb);
    const gain = qux.map((entry) => -entry / quu);
    const shift = -qu / quu;
    const qx = transposed(a, slope).map((entry, i) => entry + weight[i]! * h * (states[k]![i]! - goal[i]!));
    const va = goal.map((_, j) =>
      times(
        value,
        a.map((row) => row[j]!),
      ),
    );
    const qxx = goal.map((_, i) =>
      goal.map(
        (__, j) =>
          dotted(
            a.map((row) => row[i]!),
            va[j]!,
          ) + (i === j ? weight[i]! * h : 0),
      ),
    );
    slope = qx.map((entry, i) => entry + qux[i]! * shift);
    value = qxx.map((row, i) => row.map((entry, j) => entry + 0.5 * (qux[i]! * gain[j]! + qux[j]! * gain[i]!)));
    gains[k] = gain;
    shifts[k] = shift;
  }
  return { gains, shifts };
}

let best = run((k) => 5 * Math.sin(0.09 * k));
let damping = 1e-3;
for (let round = 0; round < 24 && damping < 1e6; round++) {
  const { gains, shifts } = sweep(best, damping);
  let isBetter = false;
  for (const share of [1, 0.5, 0.25, 0.1, 0.03]) {
    const before = best;
    const next = run(
      (k, x) =>
        before.controls[k]! +
        share * shifts[k]! +
        gains[k]!.reduce((s, g, i) => s + g * (x[i]! - before.states[k]![i]!), 0),
    );
    if (!(next.cost < best.cost)) continue;
    isBetter = best.cost - next.cost > 1e-4 * best.cost;
    best = next;
    break;
  }
  damping = isBetter ? Math.max(1e-6, 0.3 * damping) : 10 * damping;
  if (best.cost < 3 && !isBetter) break;
}
const [x, angle, speed, spin] = best.states[steps]!;
const most = Math.max(...best.states.map(([place]) => Math.abs(place!)));
console.log(`the pole stands at ${((angle! * 180) / Math.PI).toFixed(1)}°, turning at ${spin!.toFixed(2)} rad/s`);
console.log(
  `the cart is at ${x!.toFixed(3)} m, moving at ${speed!.toFixed(2)} m/s; it came to ${most.toFixed(3)} m of the rail's ${rail} m`,
);
