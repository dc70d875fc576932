/** A held solution with the implicit steps of soft bodies before the solve: both are near those of another step. */
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { HeldSolution } from '../formulation.ts';

/** The solve's own part of unknowns that were read. */
const OWN = /* @__PURE__ */ new WeakMap<Float64Array, Float64Array>();

export function holdSoft(held: HeldSolution, soft: SoftBodies): HeldSolution {
  if (soft.parts.length === 0) return held;
  return {
    read(): Float64Array | undefined {
      const own = held.read();
      const positions = soft.readHeld();
      if (!own || !positions) return undefined;
      const whole = Float64Array.of(...positions, ...own);
      OWN.set(whole, own);
      return whole;
    },
    hold(solution): void {
      soft.hold(solution?.subarray(0, soft.freeVelocity.length));
      held.hold(solution && OWN.get(solution));
    },
    get margin(): number | undefined {
      return held.margin;
    },
    get sideMargin(): number | undefined {
      return held.sideMargin;
    },
    get condition(): number | undefined {
      return held.condition;
    },
    get refusal(): string | undefined {
      return held.refusal;
    },
    polish(isPolished, like): void {
      soft.tighten(isPolished);
      held.polish?.(isPolished, like);
    },
  };
}
