/** solref and solimp in all their places, limits, and polynomial springs. */
import type { JointCommon, Solimp, Solref } from '@nexdyn/engine';
import { findSetting, locate, readKeyword, readPair, readPartial, type Settings } from './attributes.ts';
import type { CompilerSettings } from './compiler-settings.ts';
import { fail } from './failure.ts';
import type { Unsupported } from './unsupported.ts';

export const SOLREF: Solref = [0.02, 1];
export const SOLIMP: Solimp = [0.9, 0.95, 0.001, 0.5, 2];

/** A solref, or undefined where it is as by default. */
export function readSolref(settings: Settings, name: string, unsupported: Unsupported): Solref | undefined {
  return differs(readFullSolref(settings, name, unsupported), SOLREF);
}

/** A solref with its defaults; numbers of different signs mean nothing, and MuJoCo takes the default for them. */
export function readFullSolref(settings: Settings, name: string, unsupported: Unsupported): Solref {
  const solref = readPartial<Solref>(settings, name, SOLREF) ?? [...SOLREF];
  if (solref[0] > 0 === solref[1] > 0) return solref;
  const message = `'${name}' has one positive number; the default 0.02 1 takes its place, as in MuJoCo`;
  unsupported.add(settings.element, { attribute: name, affects: 'physics', message });
  return [...SOLREF];
}

/** A solimp, or undefined where it is as by default. */
export function readSolimp(settings: Settings, name: string): Solimp | undefined {
  return differs(readPartial<Solimp>(settings, name, SOLIMP), SOLIMP);
}

/** The softness of limits and dry friction of a joint or tendon, or undefined where all is as by default. */
export function readLimitSoftness(
  settings: Settings,
  unsupported: Unsupported,
): { solrefLimit?: Solref; solimpLimit?: Solimp; solrefFriction?: Solref; solimpFriction?: Solimp } | undefined {
  const result: ReturnType<typeof readLimitSoftness> = {};
  const solrefLimit = readSolref(settings, 'solreflimit', unsupported);
  if (solrefLimit) result.solrefLimit = solrefLimit;
  const solimpLimit = readSolimp(settings, 'solimplimit');
  if (solimpLimit) result.solimpLimit = solimpLimit;
  const solrefFriction = readSolref(settings, 'solreffriction', unsupported);
  if (solrefFriction) result.solrefFriction = solrefFriction;
  const solimpFriction = readSolimp(settings, 'solimpfriction');
  if (solimpFriction) result.solimpFriction = solimpFriction;
  return Object.keys(result).length > 0 ? result : undefined;
}

function differs<T extends number[]>(value: T | undefined, plain: T): T | undefined {
  return value?.some((number, i) => number !== plain[i]) ? value : undefined;
}

/** A range that limits: `<prefix>range` with its `<prefix>limited`, or undefined where nothing is limited. */
export function readLimit(
  settings: Settings,
  prefix: string,
  compiler: CompilerSettings,
  limitedDefault: 'false' | 'true' | 'auto' = 'auto',
): [number, number] | undefined {
  const range = readPair(settings, `${prefix}range`) ?? [0, 0];
  return settleLimit(settings, prefix, { range, limitedDefault, autoLimits: compiler.autoLimits });
}

/** Applies the rule of limits: explicit, or implied by the range under autolimits. */
export function settleLimit(
  settings: Settings,
  prefix: string,
  rule: { range: [number, number]; limitedDefault?: 'false' | 'true' | 'auto'; autoLimits: boolean },
): [number, number] | undefined {
  const { range, autoLimits } = rule;
  const limitedName = `${prefix}limited`;
  const limited = readKeyword(settings, limitedName, ['false', 'true', 'auto']) ?? rule.limitedDefault ?? 'auto';
  const rangeName = `${prefix}range`;
  if (limited === 'auto' && !autoLimits && (range[0] !== 0 || range[1] !== 0)) {
    const hint = `write ${limitedName}="true", or autolimits="true" in <compiler>`;
    fail('invalid-value', locate(settings, rangeName), `'${rangeName}' is given without '${limitedName}'`, hint);
  }
  if (limited === 'false' || (limited === 'auto' && range[0] >= range[1])) return undefined;
  if (range[0] >= range[1]) {
    const at = findSetting(settings, rangeName) ?? locate(settings, limitedName);
    fail(
      'invalid-value',
      at,
      `'${rangeName}' must have its lower bound below the upper, got ${range[0]} ${range[1]}`,
      'write the lower bound first',
    );
  }
  return range;
}

/** Springs and dampers: force over stretch or speed x is −(c₀ + c₁ |x| + c₂ x²) x. Coefficients that are not given are those of the class. */
export function readPolynomials(target: Polynomials, settings: Settings): void {
  for (const name of ['stiffness', 'damping'] as const) {
    const given = readPartial(settings, name, [0, 0, 0]);
    if (!given) continue;
    const [linear, square, cube] = given as [number, number, number];
    if (linear < 0) {
      const hint = 'give a number of 0 or more';
      fail('invalid-value', locate(settings, name), `'${name}' cannot be negative, got ${linear}`, hint);
    }
    if (linear !== 0) target[name] = linear;
    if (square === 0 && cube === 0) continue;
    if (name === 'stiffness') target.stiffnessPowers = [square, cube];
    else target.dampingPowers = [square, cube];
  }
}

type Polynomials = Pick<JointCommon, 'stiffness' | 'stiffnessPowers' | 'damping' | 'dampingPowers'>;
