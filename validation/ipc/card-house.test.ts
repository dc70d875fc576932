/** Houses of cards without thickness stand where friction is enough for their angle, and fall where it is not. */
import type { Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest } from '../../scripts/long-run.ts';
import { CARD_LENGTH, CARD_MASS, createCardHouse } from './card-house.ts';
import { advance, build, findFastest, G, place, sumNormalForces } from './checked-scene.ts';

const ANGLE = (65 * Math.PI) / 180;
const RISE = CARD_LENGTH * Math.sin(ANGLE);
/** m/s. */
const EPSILON = 1e-3;

function buildHouse(levels: number, friction: number): Simulation {
  return build(createCardHouse(levels, friction, ANGLE), 0.01, {
    tolerance: 1e-3,
    frictionVelocity: EPSILON,
    frictionPasses: -1,
    iterations: 1000,
  });
}

/** Height of the centres of the topmost cards, m. */
function measureTop(simulation: Simulation): number {
  return Math.max(...Array.from({ length: simulation.model.size.body - 1 }, (_, b) => place(simulation, b + 1)[2]));
}

describe('a tent of two cards at 65 degrees', () => {
  test('stands 2 s with μ = 0.5; its feet creep as the smoothing of friction says', () => {
    const simulation = buildHouse(1, 0.5);
    advance(simulation, 100);
    const foot = (): number => place(simulation, 2)[0];
    const start = foot();
    advance(simulation, 100);
    expect(measureTop(simulation)).toBeGreaterThan(0.99 * (RISE / 2));
    expect(sumNormalForces(simulation)).toBeGreaterThan(2 * CARD_MASS * G);
    // the foot pushes with ½ m g cot of the angle; the centre of a card goes half as far as its foot
    const share = 0.5 / Math.tan(ANGLE) / 0.5;
    const creep = 0.5 * EPSILON * (1 - Math.sqrt(1 - share));
    expect(foot() - start).toBeGreaterThan(0.9 * creep);
    // the angle falls and the push grows, both slowly
    expect(foot() - start).toBeLessThan(1.1 * creep);
  });

  test('falls flat with μ = 0.2', () => {
    const simulation = buildHouse(1, 0.2);
    advance(simulation, 100);
    expect(measureTop(simulation)).toBeLessThan(2e-3);
    expect(findFastest(simulation)).toBeLessThan(1e-3);
    expect(sumNormalForces(simulation) / (2 * CARD_MASS * G)).toBeCloseTo(1, 4);
  });
});

describe('a house', () => {
  for (const [levels, cards] of [
    [2, 7],
    [3, 15],
  ] as const) {
    (levels === 2 ? test : longTest)(`of ${levels} levels and ${cards} cards stands 2 s with μ = 0.5`, () => {
      const simulation = buildHouse(levels, 0.5);
      expect(simulation.model.size.body - 1).toBe(cards);
      const start = measureTop(simulation);
      advance(simulation, 200);
      // every level creeps by the speed of the smoothing at most
      expect(measureTop(simulation)).toBeGreaterThan(start - 2 * EPSILON * levels);
    });
  }

  longTest('of 2 levels falls with μ = 0.2, its cards one on another', () => {
    const simulation = buildHouse(2, 0.2);
    advance(simulation, 100);
    expect(measureTop(simulation)).toBeLessThan(0.2 * RISE);
  });
});
