/** Larger houses of cards: four levels for 5 s, and three levels onto which two blocks fall. */
import { describe, expect, test } from 'vitest';
import { CARD_LENGTH, createCardHouse } from './card-house.ts';
import { advance, body, build, findFastest, place } from './checked-scene.ts';

const ANGLE = (65 * Math.PI) / 180;

describe('a house of cards', () => {
  test('of 4 levels and 26 cards stands 5 s with μ = 0.5', () => {
    const simulation = build(createCardHouse(4, 0.5, ANGLE), 0.01, {
      frictionVelocity: 1e-4,
      frictionPasses: -1,
      iterations: 1000,
    });
    expect(simulation.model.size.body - 1).toBe(26);
    const height = (): number => place(simulation, 26)[2];
    const start = height();
    advance(simulation, 500);
    expect(height()).toBeGreaterThan(start - 5 * 1e-4 * 4 - 4e-3);
  });

  for (const frictionPasses of [1, 5, -1]) {
    test(`of 3 levels is brought down by two blocks, μ = 0.9, and comes to rest, ${frictionPasses} passes`, () => {
      const house = createCardHouse(3, 0.9, ANGLE);
      const blocks = [-0.03, 0.03].map((x, i) =>
        body(
          `block ${i}`,
          [x, 0.005 * i, 0.42 + 0.05 * i],
          { kind: 'box', halfSize: [0.015, 0.015, 0.015], friction: 0.9 },
          { orientation: [Math.cos(0.3 + i), 0.6 * Math.sin(0.3 + i), 0.8 * Math.sin(0.3 + i), 0] },
        ),
      );
      const simulation = build({ ...house, bodies: [...house.bodies!, ...blocks] }, 0.01, {
        tolerance: 1e-3,
        frictionPasses,
        iterations: 1000,
      });
      const top = house.bodies!.length;
      const start = place(simulation, top)[2];
      advance(simulation, 500, () => expect(simulation.report.frictionWork).toBeLessThan(1e-15));
      expect(place(simulation, top)[2]).toBeLessThan(start - CARD_LENGTH / 2);
      // what is left creeps: ε_v over half the length of a card
      expect(findFastest(simulation)).toBeLessThan((2 * 1e-3) / (CARD_LENGTH / 2));
    });
  }
});
