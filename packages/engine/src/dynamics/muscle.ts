/**
 * Muscles: the force of a bundle of fibres that pulls, f = −F₀ (FL(L) FV(V) a + FP(L)), and its activation.
 *   L = r₀ + (l − l₀) / L₀,   V = l̇ / (L₀ v_max),   L₀ = (l₁ − l₀) / (r₁ − r₀)
 * l₀ to l₁ are the lengths of the actuator at which the muscle has r₀ and r₁ times its optimal length. F₀ is given, or `scale` over the
 * acceleration a₀ that a unit of force causes in the initial pose.
 *   FL(L)  a bell between l_min and l_max with its top 1 at L = 1, of four parabolas
 *   FV(V)  0 below −1, (V + 1)² when it shortens, f_vmax − (y − V)²/y up to y = f_vmax − 1, then f_vmax
 *   FP(L)  0 below 1, ½ f_pmax x² up to b = ½ (1 + l_max), f_pmax (½ + x) beyond, x = (L − 1)/(b − 1) or (L − b)/(b − 1)
 *   ȧ      (u − a)/τ, τ = τ_act (½ + 3/2 a) where it rises, τ_deact / (½ + 3/2 a) where it falls, u and a between 0 and 1; with a width w
 *          the two are blended by a step of order five in (u − a)/w + ½
 * Source: MuJoCo documentation, "Muscle actuators"; Millard et al., Flexing computational muscle (2013), for the activation.
 */
import { type ModelActuators, MUSCLE } from '../model/model.ts';

const LEAST = 1e-15;

/** Width of `ModelActuators.muscle`, and the places of its numbers. */
const { range0, range1, force, lmin, lmax, vmax, fpmax, fvmax, length0, length1, width } = MUSCLE;

/** Force per unit of activation, N. */
export function muscleGain({ muscle }: ModelActuators, a: number, l: number, rate: number): number {
  const m = width * a;
  const optimal = measureOptimal(muscle, m);
  return (
    -muscle[m + force] *
    lengthFactor(normalLength(muscle, m, l, optimal), muscle[m + lmin], muscle[m + lmax]) *
    velocityFactor(rate / Math.max(LEAST, optimal * muscle[m + vmax]), muscle[m + fvmax])
  );
}

/** Its derivative by the velocity. */
export function muscleGainRate({ muscle }: ModelActuators, a: number, l: number, rate: number): number {
  const m = width * a;
  const optimal = measureOptimal(muscle, m);
  const scale = Math.max(LEAST, optimal * muscle[m + vmax]);
  const v = rate / scale;
  const y = muscle[m + fvmax] - 1;
  const slope = v <= -1 ? 0 : v <= 0 ? 2 * (v + 1) : v <= y ? (2 * (y - v)) / Math.max(LEAST, y) : 0;
  const length = lengthFactor(normalLength(muscle, m, l, optimal), muscle[m + lmin], muscle[m + lmax]);
  return (-muscle[m + force] * length * slope) / scale;
}

/** How steeply its force falls with its length at an activation, N/m; below 0 where it grows. */
export function muscleStiffness(
  actuator: ModelActuators,
  a: number,
  l: number,
  rate: number,
  activation: number,
): number {
  const { muscle } = actuator;
  const m = width * a;
  const optimal = Math.max(LEAST, measureOptimal(muscle, m));
  const L = normalLength(muscle, m, l, optimal);
  const speed = velocityFactor(rate / Math.max(LEAST, optimal * muscle[m + vmax]), muscle[m + fvmax]);
  const b = 0.5 * (1 + muscle[m + lmax]);
  const stretch = Math.min(1, Math.max(0, (L - 1) / Math.max(LEAST, b - 1)));
  const passive = (muscle[m + fpmax] * stretch) / Math.max(LEAST, b - 1);
  return (
    (muscle[m + force] * (lengthSlope(L, muscle[m + lmin], muscle[m + lmax]) * speed * activation + passive)) / optimal
  );
}

/** Passive force, N. */
export function muscleBias({ muscle }: ModelActuators, a: number, l: number): number {
  const m = width * a;
  const length = normalLength(muscle, m, l, measureOptimal(muscle, m));
  const b = 0.5 * (1 + muscle[m + lmax]);
  if (length <= 1) return 0;
  const most = -muscle[m + force] * muscle[m + fpmax];
  if (length <= b) return most * 0.5 * ((length - 1) / Math.max(LEAST, b - 1)) ** 2;
  return most * (0.5 + (length - b) / Math.max(LEAST, b - 1));
}

/** Rate of the activation, 1/s. */
export function muscleRate(
  { timeConstant, muscle }: ModelActuators,
  a: number,
  control: number,
  activation: number,
): number {
  const u = Math.min(1, Math.max(0, control));
  const shown = 0.5 + 1.5 * Math.min(1, Math.max(0, activation));
  const rising = timeConstant[a] * shown;
  const falling = muscle[width * a + MUSCLE.deactivation] / shown;
  const blend = muscle[width * a + MUSCLE.smoothing];
  const change = u - activation;
  const tau =
    blend < LEAST ? (change > 0 ? rising : falling) : falling + (rising - falling) * smoothStep(change / blend + 0.5);
  return change / Math.max(LEAST, tau);
}

function measureOptimal(muscle: Float64Array, m: number): number {
  return (muscle[m + length1] - muscle[m + length0]) / Math.max(LEAST, muscle[m + range1] - muscle[m + range0]);
}

function normalLength(muscle: Float64Array, m: number, l: number, optimal: number): number {
  return muscle[m + range0] + (l - muscle[m + length0]) / Math.max(LEAST, optimal);
}

function lengthFactor(l: number, low: number, high: number): number {
  if (l < low || l > high) return 0;
  const a = 0.5 * (low + 1);
  const b = 0.5 * (1 + high);
  if (l <= a) return 0.5 * ((l - low) / Math.max(LEAST, a - low)) ** 2;
  if (l <= 1) return 1 - 0.5 * ((1 - l) / Math.max(LEAST, 1 - a)) ** 2;
  if (l <= b) return 1 - 0.5 * ((l - 1) / Math.max(LEAST, b - 1)) ** 2;
  return 0.5 * ((high - l) / Math.max(LEAST, high - b)) ** 2;
}

// FL'
function lengthSlope(l: number, low: number, high: number): number {
  if (l < low || l > high) return 0;
  const a = 0.5 * (low + 1);
  const b = 0.5 * (1 + high);
  if (l <= a) return (l - low) / Math.max(LEAST, a - low) ** 2;
  if (l <= 1) return (1 - l) / Math.max(LEAST, 1 - a) ** 2;
  if (l <= b) return -(l - 1) / Math.max(LEAST, b - 1) ** 2;
  return -(high - l) / Math.max(LEAST, high - b) ** 2;
}

function velocityFactor(v: number, most: number): number {
  const y = most - 1;
  if (v <= -1) return 0;
  if (v <= 0) return (v + 1) ** 2;
  return v <= y ? most - (y - v) ** 2 / Math.max(LEAST, y) : most;
}

// from 0 to 1, with two derivatives that vanish at both ends
function smoothStep(x: number): number {
  if (x <= 0) return 0;
  return x >= 1 ? 1 : x * x * x * (3 * x * (2 * x - 5) + 10);
}
