import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { checkTerm, createPointTerm } from '@nexdyn/engine/terms';

// a magnet on a vertical rail floats above one that repels it
const [mass, gravity, strength] = [0.2, 10, 0.04];
const rail: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.005, gravity: [0, 0, -gravity] },
  bodies: [
    {
      name: 'magnet',
      position: [0, 0, 0.25],
      joints: [{ kind: 'slide', axis: [0, 0, 1], damping: 3 }],
      inertia: { kind: 'principal', mass, moments: [0.001, 0.001, 0.001] },
    },
  ],
};

// the user's own energy: ψ = s/r, with r the distance of two points
const repulsion = createPointTerm({
  name: 'repulsion',
  points: [{ body: 'magnet' }, { body: 'world' }],
  value: (p) => strength / distance(p),
  gradient(p, out) {
    const r = distance(p);
    for (let k = 0; k < 3; k++) {
      const slope = (-strength * (p[k] - p[3 + k])) / r ** 3;
      out[k] += slope;
      out[3 + k] -= slope;
    }
  },
  hessian(p, out) {
    const r = distance(p);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const along = (3 * (p[i] - p[3 + i]) * (p[j] - p[3 + j])) / r ** 5;
        const entry = strength * (along - (i === j ? 1 / r ** 3 : 0));
        out[6 * i + j] += entry;
        out[6 * (i + 3) + j + 3] += entry;
        out[6 * i + j + 3] -= entry;
        out[6 * (i + 3) + j] -= entry;
      }
    }
  },
});

function distance(p: Float64Array): number {
  return Math.hypot(p[0] - p[3], p[1] - p[4], p[2] - p[5]);
}

// are the derivatives right?
console.log(checkTerm(repulsion, compileModel(rail)).message);

// at rest s/z² = m g
const theory = Math.sqrt(strength / (mass * gravity));
for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc'] satisfies FormulationId[]) {
  const simulation = new Simulation(compileModel(rail, { formulation }), { terms: [repulsion] });
  simulation.step(400);
  const height = simulation.bodyPosition[5];
  const [, , force] = simulation.termForce('repulsion', 'magnet').force;
  console.log(
    `${formulation}: floats at ${height.toFixed(5)} m, theory ${theory.toFixed(5)} m; pushed up by ${force.toFixed(4)} N`,
  );
}
