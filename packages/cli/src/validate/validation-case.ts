import type { BuiltInFormulationId } from '@nexdyn/engine';

/** The formulations whose numbers most cases have; `penalty` has cases of its own. */
export type ComparedFormulation = Exclude<BuiltInFormulationId, 'penalty'>;

/** What a case is about. */
export type CaseGroup =
  | 'free motion'
  | 'joints'
  | 'contact'
  | 'friction'
  | 'rolling'
  | 'soft bodies'
  | 'elasticity'
  | 'contact laws'
  | 'derivatives'
  | 'published tests'
  | 'compared scenes'
  | 'game rates'
  | 'artefacts'
  | 'cross-formulation'
  | 'external references';

/** A number that a simulation gives beside the one it ought to give. */
export interface Outcome {
  value: number;
  expected: number;
  /** Largest |value − expected| that passes. */
  tolerance: number;
}

/** Something known about motion and contact, and how to measure it. */
export interface ValidationCase {
  /** Unique, as in `slide-stop`. */
  name: string;
  group: CaseGroup;
  /** What is measured, with its formula. */
  title: string;
  unit: string;
  /** Where the expected number comes from. */
  source: string;
  /** Where the tolerance comes from. */
  basis: string;
  /** Those that claim it. */
  formulations: readonly BuiltInFormulationId[];
  /** Cheap enough for every test run. */
  isQuick?: boolean;
  /** The reason why it cannot run; undefined where it can. */
  isMissing?: () => string | undefined;
  run(formulation: ComparedFormulation): Outcome;
}

/** A case that was run. */
export interface Verdict extends Outcome {
  case: string;
  formulation: BuiltInFormulationId;
  unit: string;
  pass: boolean;
  /** Why it could not be run to its end. */
  failure?: string;
}

export const ALL: readonly ComparedFormulation[] = ['mujoco', 'sap', 'ccp', 'ipc'];
/** Formulations without a barrier. */
export const CONVEX: readonly ComparedFormulation[] = ['mujoco', 'sap', 'ccp'];

/** Runs a case under a formulation; a case that throws fails with the reason. */
export function judge(one: ValidationCase, formulation: BuiltInFormulationId): Verdict {
  const about = { case: one.name, formulation, unit: one.unit };
  try {
    const { value, expected, tolerance } = one.run(formulation as ComparedFormulation);
    return { ...about, value, expected, tolerance, pass: Math.abs(value - expected) <= tolerance };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ...about, value: Number.NaN, expected: Number.NaN, tolerance: Number.NaN, pass: false, failure };
  }
}
