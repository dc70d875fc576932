/**
 * Twelve scenes with known answers at the rates of games, 1/60 and 1/240 s, with default options: what a user gets on the first try.
 * The tolerance of a case is the error of the best JavaScript engine on it (Rapier, Jolt, Havok, PhysX, Ammo, crashcat, cannon at
 * their defaults), or, where a formulation cannot be better by its nature, the formula of its artefact. `limit` says which.
 */

import { G } from '../case-scene.ts';
import {
  type Missile,
  measureArch,
  measureBounce,
  measureChainStretch,
  measureChainSwing,
  measurePendulum,
  measureSlide,
  measureSlope,
  measureTower,
  measureTumbling,
  measureTunnelling,
  predictPeriod,
} from '../game-rates/rate-scenes.ts';
import { ALL, type ComparedFormulation, type ValidationCase } from '../validation-case.ts';

/** Steps per second. */
export type Rate = 60 | 240;
export const RATES: readonly Rate[] = [60, 240];

export interface RateCase extends Omit<ValidationCase, 'group' | 'run' | 'formulations' | 'source'> {
  formulations?: readonly ComparedFormulation[];
  source?: string;
  expected: number;
  /** Error of the best JavaScript engine at both rates, in the unit of the case. */
  best: Readonly<Record<Rate, number>>;
  /** A tolerance of our own, where theirs is too wide. */
  bound?: number;
  /** Error that belongs to a formulation, where it is larger; h in s. */
  limit?: (formulation: ComparedFormulation, h: number) => number;
  measure(formulation: ComparedFormulation, h: number): number;
}

const ANGLE = (20 * Math.PI) / 180;
/** Least share of a default round-off and solver tolerance of any measured length, m. */
const ROUND_OFF = 1e-6;

/** Slip of a body that friction holds on a slope for t s, m: the creep of each formulation and the way of its first step. */
function creepOnSlope(formulation: ComparedFormulation, h: number, t: number): number {
  const pull = G * Math.sin(ANGLE);
  const first = pull * h * h;
  switch (formulation) {
    case 'mujoco': // (1 − d)/(d r) g sin a/B, B = 2/(d τ), d = 0.9, r = 100, τ at least two steps
      return (((1 - 0.9) / 100) * pull * Math.max(0.02, 2 * h) * t) / 2 + first;
    case 'sap': // μ σ g h
      return 0.5 * 1e-3 * G * h * t + first;
    case 'ipc': // friction is smooth below ε_v
      return 1e-3 * t + first;
    default:
      return ROUND_OFF;
  }
}

/** Depth of contacts that carry m g, m. */
function restDepth(formulation: ComparedFormulation, h: number, weight: number, points: number): number {
  const time = Math.max(0.02, 2 * h);
  switch (formulation) {
    case 'mujoco': // g (1 − d) (τ d_w/d)² under the weight of one body of 4.2 kg (ball) or 8 kg (box), and as many times that as it carries
      return Math.max(1, weight / (8 * G)) * G * (1 - 0.9) * ((time * 0.95) / 0.9) ** 2;
    case 'sap': // weight over the stiffness of the points, 1e6 N/m each, and near-rigid softness (β h/2π)² g
      return weight / (points * 1e6) + (weight / (8 * G)) * G * ((0.5 * h) / (2 * Math.PI)) ** 2;
    case 'ipc': // the barrier acts from 1 mm on
      return 1e-3;
    default:
      return ROUND_OFF;
  }
}

/**
 * By how much `bdf2` lengthens the period of a pendulum at most, s. Its error is h²/3 of the third derivatives: of ÿ = −ω² y it makes
 * T (1 + (ω h)²/3), and of a body on a circle, which it takes in Cartesian coordinates, T (1 + (ω h)² (1/3 + 2 (⟨cos q⟩ − cos a))).
 */
function lagOfSecondOrder(h: number, amplitude: number): number {
  const omega = (2 * Math.PI) / predictPeriod(0);
  const mean = 1 - amplitude ** 2 / 4;
  return predictPeriod(amplitude) * (omega * h) ** 2 * (1 / 3 + 2 * (mean - Math.cos(amplitude)));
}

const slide = 0.5 * G * (Math.sin(ANGLE) - 0.3 * Math.cos(ANGLE));
const stop = 9 / (2 * 0.4 * G);
const start = Math.PI / 6;
const period = predictPeriod(start);
const STONES = 'limit analysis of stones that do not pull: it stands above t/R = 0.1075 (Milankovitch 1907)';
const BEST = 'the error of the best JavaScript engine at its defaults';

/** The scenes and what the best JavaScript engine reaches on them. */
export const RATE_CASES: readonly RateCase[] = [
  {
    name: 'slope-slide',
    title: 'way of a box down a slope of 20°, μ = 0.3, in 1 s: g (sin a − μ cos a)/2',
    unit: 'm',
    expected: slide,
    best: { 60: 0.0088 * slide, 240: 0.0003 * slide },
    basis: `${BEST}, or the bias of steps that move by v⁺, h/t of the way; ipc also ε_v t`,
    limit: (formulation, h) => slide * h + (formulation === 'ipc' ? 1e-3 : 0),
    measure: (formulation, h) => measureSlope(formulation, h, 0.3, 1),
  },
  {
    name: 'slope-hold',
    title: 'slip of a box that friction holds on a slope of 20°, μ = 0.5, in 10 s',
    unit: 'm',
    expected: 0,
    best: { 60: 1e-8, 240: 1e-9 },
    basis: `${BEST}, or the creep of friction: cases creep-*`,
    limit: (formulation, h) => creepOnSlope(formulation, h, 10),
    measure: (formulation, h) => measureSlope(formulation, h, 0.5, 10),
  },
  {
    name: 'tumble-flips',
    title: 'half turns of a body about its middle axis in 10 s without torque',
    unit: '',
    source: "Euler's equations; 4 by Runge-Kutta of order four at 1e-4 s",
    expected: 4,
    best: { 60: 0, 240: 0 },
    basis: 'a whole number',
    measure: (formulation, h) => measureTumbling(formulation, h).flips,
  },
  {
    name: 'tumble-momentum',
    title: 'largest error of its angular momentum, part of it',
    unit: '',
    source: 'conservation of angular momentum',
    expected: 0,
    best: { 60: 0.019, 240: 0.0035 },
    basis: BEST,
    measure: (formulation, h) => measureTumbling(formulation, h).momentum,
  },
  {
    name: 'tumble-energy',
    title: 'largest change of its kinetic energy, part of it',
    unit: '',
    source: 'conservation of energy',
    expected: 0,
    best: { 60: 1e-9, 240: 1e-9 },
    basis: `${BEST}, round-off`,
    measure: (formulation, h) => measureTumbling(formulation, h).energy,
  },
  {
    name: 'swing-period',
    title: 'period of a rod of 1 m that swings by 30° for 20 s',
    unit: 's',
    source: 'series of the elliptic integral',
    expected: period,
    best: { 60: 0.00026 * period, 240: 0.00002 * period },
    basis: `${BEST}; of \`bdf2\` under \`ipc\` T (ω h)² (1/3 + 2 (⟨cos q⟩ − cos 30°))`,
    limit: (formulation, h) => (formulation === 'ipc' ? lagOfSecondOrder(h, start) : 0),
    measure: (formulation, h) => measurePendulum(formulation, h).period,
  },
  {
    name: 'swing-gap',
    title: 'largest gap of its joint',
    unit: 'm',
    expected: 0,
    best: { 60: 8e-6, 240: 3e-7 },
    basis: `${BEST}, or the tolerance of joints, 1e-6 m, twice`,
    limit: () => 2e-6,
    measure: (formulation, h) => measurePendulum(formulation, h).gap,
  },
  {
    name: 'swing-amplitude',
    title: 'amplitude after 20 s, conserved',
    unit: '°',
    source: 'conservation of energy',
    expected: 30,
    best: { 60: 1.1, 240: 0.1 },
    basis: BEST,
    measure: (formulation, h) => measurePendulum(formulation, h).amplitude,
  },
  {
    name: 'chain-gap',
    title:
      'largest gap of a joint of 50 links with a hundredfold mass at the end, falling from level, 5 s; without bound if a step did not converge',
    unit: 'm',
    expected: 0,
    best: { 60: 0.174, 240: 3.3e-3 },
    bound: 1e-3,
    basis: '1 mm, a hundredth of a link',
    measure(formulation, h) {
      const { gap, open } = measureChainSwing(formulation, h);
      return open === 0 ? gap : Infinity;
    },
  },
  {
    name: 'chain-stretch',
    title: 'by how much the hanging chain is longer after 5 s, part of it',
    unit: '',
    expected: 0,
    best: { 60: 0.038, 240: 4e-4 },
    basis: BEST,
    measure: measureChainStretch,
  },
  {
    name: 'tower-stands',
    title: 'whether ten boxes stand for 10 s whose top weighs a hundred times the others (1: yes)',
    unit: '',
    source: 'statics',
    expected: 1,
    best: { 60: 0, 240: 0 },
    basis: 'yes or no',
    measure: (formulation, h) => Number(measureTower(formulation, h).stands),
  },
  {
    name: 'tower-depth',
    title: 'deepest contact below the top',
    unit: 'm',
    source: 'rigid boxes',
    expected: 0,
    best: { 60: 0.06, 240: 2e-4 },
    basis: `${BEST}, or the softness of contacts under the load of 800 kg`,
    limit: (formulation, h) => restDepth(formulation, h, 864 * G, 4),
    measure: (formulation, h) => measureTower(formulation, h).depth,
  },
  {
    name: 'bounce-energy',
    title: 'energy of a ball with e = 1 at the top of its last flight in 10 s, part of it',
    unit: '',
    source: 'conservation of energy',
    expected: 1,
    best: { 60: 0.007, 240: 0.002 },
    basis: `${BEST}; one step at the floor moves by g h² of the 1 m of its fall, up to 14 bounces`,
    limit: (_, h) => 14 * G * h * h,
    formulations: ['ccp'],
    measure: (formulation, h) => measureBounce(formulation, h, 1, 10).energy,
  },
  {
    name: 'drop-rest',
    title: 'height at which a ball comes to rest after a fall of 1 m',
    unit: 'm',
    source: 'rigid floor',
    expected: 0,
    best: { 60: 1e-9, 240: 1e-9 },
    basis: `${BEST}, or the softness of one contact; ipc rests within its barrier, 1 mm`,
    limit: (formulation, h) => restDepth(formulation, h, 41.1, 1),
    measure: (formulation, h) => measureBounce(formulation, h, 0, 3).height,
  },
  {
    name: 'slide-stop-distance',
    title: 'way of a box at 3 m/s, μ = 0.4: v²/(2 μ g)',
    unit: 'm',
    source: "Coulomb's law",
    expected: stop,
    best: { 60: 0.005 * stop, 240: 0.0003 * stop },
    basis: `${BEST}, or v h/2 of steps that move by v⁺ and μ g h² of the last one; ε_v of ipc for 1 s`,
    limit: (_, h) => (3 * h) / 2 + 0.4 * G * h * h + 1e-3,
    measure: (formulation, h) => measureSlide(formulation, h, 0)[0],
  },
  {
    name: 'slide-isotropy',
    title: 'the same at 45° to its sides, part of that along them',
    unit: '',
    source: 'friction has no direction',
    expected: 1,
    best: { 60: 1e-3, 240: 1e-3 },
    basis: BEST,
    measure: (formulation, h) => measureSlide(formulation, h, Math.PI / 4)[0] / measureSlide(formulation, h, 0)[0],
  },
  {
    name: 'slide-drift',
    title: 'how far it comes to rest beside its way at 22.5°',
    unit: 'm',
    source: 'symmetry of friction',
    expected: 0,
    best: { 60: 1e-6, 240: 1e-6 },
    basis: `${BEST}, or, where contacts are soft, 0.5 % of the way: corners that rock carry unequal loads and turn the box`,
    limit: (formulation) => (formulation === 'ccp' || formulation === 'ipc' ? ROUND_OFF : 0.005 * stop),
    measure: (formulation, h) => measureSlide(formulation, h, Math.PI / 8)[1],
  },
  ...(['ball', 'plate', 'ball at a loose wall'] as const).map(
    (missile: Missile): RateCase => ({
      name: `tunnel-${missile.replaceAll(' ', '-')}`,
      title: `share of 20 starts from which a ${missile.replace('ball at', 'ball against')}${missile === 'ball at a loose wall' ? ' of 10 kg' : ''} at 100 m/s passes through a wall of 1 cm`,
      unit: '',
      source: 'solid bodies',
      expected: 0,
      best: { 60: 0, 240: 0 },
      basis: 'none may pass',
      measure: (formulation, h) => measureTunnelling(formulation, h, missile),
    }),
  ),
  ...([0.2, 0.125] as const).map(
    (thickness): RateCase => ({
      name: `arch-${thickness}`,
      title: `by how much the crown of 15 stones, t/R = ${thickness}, sinks in 5 s`,
      unit: 'm',
      source: STONES,
      expected: 0,
      best: thickness === 0.2 ? { 60: 0.022, 240: 3e-4 } : { 60: 0.5, 240: 4e-4 },
      basis: `${BEST} (at 1/60 all lose the thin one), or the softness of its joints at 2 cm`,
      limit: (formulation, h) => (formulation === 'mujoco' && h > 0.01 && thickness < 0.2 ? 1 : 0.024),
      measure: (formulation, h) => measureArch(formulation, h, thickness),
    }),
  ),
];

export const GAME_RATES: readonly ValidationCase[] = RATE_CASES.flatMap((one) =>
  RATES.map((rate): ValidationCase => {
    const { name, title, unit, source = 'mechanics of rigid bodies', basis, formulations = ALL, limit } = one;
    return {
      name: `${name}-${rate}`,
      group: 'game rates',
      title: `${title}; ${rate} steps per second`,
      unit,
      source,
      basis,
      formulations,
      run(formulation) {
        const h = 1 / rate;
        const tolerance = one.bound ?? Math.max(one.best[rate], limit?.(formulation, h) ?? 0);
        return { value: one.measure(formulation, h), expected: one.expected, tolerance };
      },
    };
  }),
);
