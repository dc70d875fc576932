/**
 * A cable half way round a pole: a weight hangs from one end, the other end is pulled down. The tensions on both sides are as
 *   T₂/T₁ = e^(μ φ),   φ = π        (Euler)
 * What a cable of straight edges on a pole that yields adds to the exponent, in steps of h at speed v:
 *   μ φ (1 + μ²) θ²/12     edges that turn by θ: a vertex multiplies the tension by e^(2 artanh(μ tan θ/2))
 *   (1 + μ²) ln(r₁/r₂)     the cable sinks in as its tension grows, from a radius r₁ to r₂, and slides down that slope
 *   h v φ/R                normals are those of the start of the step, at which a vertex is v h/R farther back
 *   β v φ/R                damping of stiffness β resists the turning of taut edges: the power β T (v/R)² per length
 * All raise it. The weight of the cable, 1e-3 of T₁, is left out. Lengths m, T N, h and β s, v m/s, R m radius of the way of the cable.
 */
import type { Simulation } from '@nexdyn/engine';
import { advance, pointBody, simulate, takeStep } from './case-scene.ts';
import type { ComparedFormulation, Outcome } from './validation-case.ts';

const [POLE, RADIUS, ARC, STRAIGHT, WEIGHT] = [0.05, 0.002, 24, 10, 0.5];
const [H, DAMPING, YOUNG, SPEED] = [1e-3, 5e-4, 1e7, 0.05];
/** The pull begins gently and stretches the cable before it slides, s and m. */
const [RAMP, STRETCH, SECONDS] = [0.3, 0.025, 0.75];

/** m; the barrier acts at a distance. */
const GAP: Partial<Record<ComparedFormulation, number>> = { ipc: 1e-3 };

export function measureCapstan(formulation: ComparedFormulation, friction: number): Outcome {
  const reach = POLE + RADIUS + (GAP[formulation] ?? 0);
  const simulation = openCable(formulation, friction, reach);
  const spacing = (Math.PI * reach) / ARC;
  // the tensions swing as vertices come on and off: two of them
  const steps = Math.round((2 * spacing) / SPEED / H);
  advance(simulation, SECONDS - steps * H);
  const sum = { slack: 0, pulled: 0, outer: 0, inner: 0 };
  for (let n = 0; n < steps; n++) {
    takeStep(simulation);
    const { strain } = simulation.softStress('cable');
    sum.slack += strain[0]!;
    sum.pulled += strain[strain.length - 12]!;
    const radii = listRadii(simulation);
    sum.outer += Math.max(...radii);
    sum.inner += Math.min(...radii);
  }
  const square = 1 + friction * friction;
  const turn = Math.PI / ARC;
  const more =
    friction * Math.PI * square * (turn ** 2 / 12) +
    square * Math.log(sum.outer / sum.inner) +
    ((H + DAMPING) * SPEED * Math.PI) / reach;
  const expected = Math.exp(friction * Math.PI);
  return { value: sum.pulled / sum.slack, expected, tolerance: expected * Math.expm1(more) };
}

/** Distances from the axis of the vertices that are over it, m. */
function listRadii(simulation: Simulation): number[] {
  const x = simulation.softPosition('cable');
  const radii: number[] = [];
  for (let v = 0; v < x.length; v += 3) if (x[v + 2]! > 0) radii.push(Math.hypot(x[v]!, x[v + 2]!));
  return radii;
}

function openCable(formulation: ComparedFormulation, friction: number, reach: number): Simulation {
  const spacing = (Math.PI * reach) / ARC;
  const points: number[] = [];
  for (let i = STRAIGHT; i > 0; i--) points.push(-reach, 0, -i * spacing);
  for (let i = 0; i <= ARC; i++) {
    const angle = (Math.PI * i) / ARC;
    points.push(-reach * Math.cos(angle), 0, reach * Math.sin(angle));
  }
  for (let i = 1; i <= STRAIGHT; i++) points.push(reach, 0, -i * spacing);
  const times: number[] = [];
  const displacements: number[] = [];
  for (let k = 0; k <= 100 * SECONDS; k++) {
    const t = k / 100;
    const u = Math.min(1, t / RAMP);
    const stretch = STRETCH * (u - Math.sin(2 * Math.PI * u) / (2 * Math.PI));
    times.push(t);
    displacements.push(0, 0, -stretch - SPEED * (t < RAMP ? (t * t) / (2 * RAMP) : t - RAMP / 2));
  }
  const tolerance = { sap: { relativeTolerance: 1e-9 }, ccp: { tolerance: 1e-8 }, mujoco: { tolerance: 1e-10 } };
  return simulate(formulation, {
    options: { timestep: H, ...tolerance },
    materials: [{ name: 'm', friction }],
    shapes: [
      {
        kind: 'cylinder',
        radius: POLE,
        halfLength: 0.05,
        orientation: [Math.SQRT1_2, Math.SQRT1_2, 0, 0],
        material: 'm',
      },
    ],
    bodies: [
      pointBody('weight', WEIGHT, [{ kind: 'slide', axis: [0, 0, 1], damping: 10 }], [-reach, 0, -STRAIGHT * spacing]),
    ],
    softBodies: [
      {
        name: 'cable',
        mesh: { kind: 'polyline', points, radius: RADIUS },
        elasticity: {
          youngsModulus: YOUNG,
          poissonRatio: 0.3,
          density: 300,
          bendingStiffness: 0,
          twistStiffness: 0,
          massDamping: 20,
          stiffnessDamping: DAMPING,
        },
        material: 'm',
        attachments: [{ name: 'load', vertices: [0], body: 'weight' }],
        driven: [{ vertices: [points.length / 3 - 1], times, displacements }],
      },
    ],
  });
}
