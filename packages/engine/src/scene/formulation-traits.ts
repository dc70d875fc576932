/** What the rest of the engine asks about a formulation before it runs; how it solves a step is in formulation/. */
import type { Coordinates, Integrator } from './options.ts';
import type { ObjectSchema } from './schema.ts';

/** A formulation as scenes, compilers and programs see it. `Options` are its fields below `options` of a scene. */
// biome-ignore lint/suspicious/noExplicitAny: traits of all formulations stand in one table
export interface FormulationTraits<Options extends object = any> {
  /** Its name in scenes and on the command line, and that of its field in the options of a scene. */
  readonly id: string;
  /** What it does, in a few words. */
  readonly title: string;
  /** The unknown of its step, as in `velocity`. */
  readonly unknown: string;
  /** Whether it is a baseline, which programs that run all formulations side by side leave out unless asked for it. Default: false. */
  readonly isBaseline?: boolean;
  /** Coordinates in which it runs; the first are the default. */
  readonly coordinates: readonly [Coordinates, ...Coordinates[]];
  /** Integrators that it has; the first is that of scenes that name none. */
  readonly integrators: readonly [Integrator, ...Integrator[]];
  /** What takes the place of an integrator that it does not have; one that is not named here either is an error. */
  readonly substitutes: Readonly<Partial<Record<Integrator, Integrator>>>;
  /** What takes the place of integrators in body coordinates besides. Default: none. */
  readonly bodySubstitutes?: Readonly<Partial<Record<Integrator, Integrator>>>;
  /** What takes the place of integrators in scenes with soft bodies besides. Default: none. */
  readonly softSubstitutes?: Readonly<Partial<Record<Integrator, Integrator>>>;
  /** What it resolves of a scene. */
  readonly resolves: FormulationAbilities;
  /** Its options. */
  readonly options: {
    readonly schema: ObjectSchema<Options>;
    /** Values of what a scene leaves out, at a time step in s and beside what it gives. */
    defaults(timestep: number, given: Readonly<Options>): Readonly<Required<Options>>;
  };
  /** Whether its contact forces lie in the friction cone exactly, whatever the tolerance of its solver. Default: no. */
  keepsCone?(options: Readonly<Required<Options>>): boolean;
  /** Least coefficient of friction that its contacts have, whatever their materials say; none: 0. */
  readonly leastFriction?: number;
  /** Whether the inertia of a tendon counts within branches of a tree alone, as in MuJoCo, or as a whole. Default: as a whole. */
  readonly tendonInertia?: 'branches' | 'whole';
  /** Gap up to which it is given contacts before they touch, m. Default: that of the shapes. */
  detectionGap?(options: Readonly<Required<Options>>): number;
  /** The distances that it keeps between surfaces, where it keeps any. */
  clearance?(options: Readonly<Required<Options>>): Omit<Clearance, 'path'>;
  /** How soft bodies find the velocity that they would have without contact; what is left out has a default. */
  elasticStep?(options: Readonly<Required<Options>>): Partial<ElasticStep>;
  /** The same options with tolerances at round-off, and with a solver that reaches them where it is another: for derivatives. */
  tighten?(options: Readonly<Required<Options>>): Readonly<Required<Options>>;
  /** What it makes smooth or soft of rigid contact with dry friction, in words, for those who take derivatives. Default: nothing. */
  smoothing?(options: Readonly<Required<Options>>): string[];
  /** Fields of shapes, materials and contact pairs that it never reads: derivatives by them are not taken for zero in silence. Default: none. */
  readonly unread?: readonly string[];
  /** What `listTermEnergies` calls its energies of contacts, friction and joints. Default: `contacts`, `friction`, `joints`, as constraints. */
  readonly terms?: readonly string[];
  /** Whether a page may fetch its solver when a scene first asks for it, from '@nexdyn/engine/<id>'. Default: false. */
  readonly isLoadedLater?: boolean;
}

/** Distances that a formulation keeps between surfaces, and how far signed-distance shapes keep them. */
export interface Clearance {
  /** Where the scene gives them, for messages. */
  readonly path: string;
  /** Gap below which surfaces repel each other, m. */
  readonly barrierDistance: number;
  /** Gap that they never go below, m. */
  readonly separation: number;
  /** What keeps apart from a field: sample points, these with a margin, or the exact surface. */
  readonly signedDistancePromise: 'samples' | 'margin' | 'swept';
  /** Farthest that a point of a sampled surface is from a sample, m; 0 adapts it to the shape. */
  readonly signedDistanceCovering: number;
}

/** Stopping and linear solver of a step of the soft bodies. */
export interface ElasticStep {
  /** Relative tolerance of Newton's method. */
  readonly relativeTolerance: number;
  /** How its systems are solved; `auto`: by Cholesky where the factor is small. */
  readonly solver: 'auto' | 'pcg' | 'cholesky';
  /** Conjugate gradient iterations at most. */
  readonly gradientIterations: number;
  /** Relative residual at which conjugate gradients stop. */
  readonly gradientTolerance: number;
}

/** What of a scene a formulation resolves; what it does not is refused with a hint, or listed as unresolved. */
export interface FormulationAbilities {
  /** Soft bodies move. */
  readonly softBodies: boolean;
  /** Contacts bounce by a coefficient of restitution. */
  readonly restitution: boolean;
  /** Surfaces touch by hydroelastic pressure. */
  readonly pressureFields: boolean;
  /** Meshes of edges or points without faces touch. */
  readonly wires: boolean;
  /** Surfaces are kept at a distance all along a step; reports give the least one. */
  readonly keepsDistance: boolean;
  /** A step starts from the constraint impulses of the last one, which are then part of the state. */
  readonly startsFromImpulses: boolean;
}
