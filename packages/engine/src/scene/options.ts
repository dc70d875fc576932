import type { Solimp, Solref } from './mujoco-parameters.ts';
import type { Vec3 } from './pose.ts';

/** The built-in contact formulations, by the unknown of the step: acceleration, velocity, impulse, position; and springs with explicit forces. */
export type BuiltInFormulationId = 'mujoco' | 'sap' | 'ccp' | 'ipc' | 'penalty';

/** Name of a contact formulation: a built-in one, or one that `registerFormulation` has added. */
export type FormulationId = BuiltInFormulationId | (string & {});

/** `joint`: trees of joints in minimal coordinates; `body`: six dofs per body, joints as constraints. */
export type Coordinates = 'joint' | 'body';

/**
 * How velocities and positions advance; all keep rotations on the group. `semiImplicit` computes velocities first, with springs,
 * dampers and servos at the end of the step, then positions from the new velocities. `euler`, `implicitfast`, `implicit` and `rk4`
 * are MuJoCo's; `rk4` is of order four, but of order two in the orientation of free and ball joints. `rkmk4`
 * (Runge-Kutta-Munthe-Kaas) is of order four in both. `midpoint`, under `sap` and `ccp`, takes masses and
 * forces in the middle of the step and moves by the mean velocity, by two solves: of order two, and it keeps the energy of springs.
 * Joints in body coordinates make it of order one.
 * `bdf2`, under `ipc`, is the second backward differentiation formula: of order two where nothing touches, and backward Euler for
 * bodies that touch others or stand at a limit.
 */
export type Integrator = 'semiImplicit' | 'euler' | 'implicitfast' | 'implicit' | 'rk4' | 'rkmk4' | 'midpoint' | 'bdf2';

/** What becomes of bodies that overlap at the start. */
export type StartRule = 'separate' | 'ignore-pairs' | 'refuse';

/** Whether fast bodies are looked at along their way. */
export type FastBodies = 'auto' | 'on' | 'off';

/** How the points of a contact are chosen: spread over the faces that touch, or as MuJoCo 4.0 makes them. */
export type ContactPointRule = 'spread' | 'mujoco';

/** A part of the physics that can be switched off. */
export type Feature =
  | 'contact'
  | 'constraint'
  | 'equality'
  | 'limit'
  | 'frictionLoss'
  | 'spring'
  | 'damper'
  | 'gravity'
  | 'actuation'
  | 'clampControl'
  | 'implicitDamping'
  | 'warmStart'
  | 'parentFilter'
  | 'safeReference'
  | 'island';

/** Options of the scene. */
export interface SceneOptions {
  /** Time step, s. Default: 0.002. */
  timestep?: number;
  /**
   * Largest position error allowed in a step, m and rad. If given, steps are as long as it allows, but at most `timestep`, which remains
   * the interval of outputs. Default: none; every step lasts one `timestep`.
   */
  accuracy?: number;
  /** Gravitational acceleration, m/s². Default: 0 0 -9.81. */
  gravity?: Vec3;
  /**
   * How velocities and positions advance. `euler`, `implicitfast` and `implicit` work under `mujoco` in joint coordinates, `rk4` and
   * `rkmk4` under `mujoco`; elsewhere `semiImplicit` replaces them, except that `ipc` replaces `rk4` and `rkmk4` by `bdf2`. `midpoint`
   * works under `sap` and `ccp`, `bdf2` under `ipc`; these formulations use the one they have in place of the other. Default: 'bdf2' under
   * `ipc`; 'midpoint' under `sap` and `ccp` if `accuracy` is given (except for joints in body coordinates and for scenes with soft bodies);
   * otherwise 'semiImplicit'.
   */
  integrator?: Integrator;
  /** Contact formulation; the caller can override it. Default: 'mujoco'. */
  formulation?: FormulationId;
  /**
   * Unknowns of the motion: joint positions (`joint`), or six degrees of freedom per body with joints as constraints (`body`). Default:
   * `joint` for mujoco, sap and penalty, `body` for ccp and ipc; `joint` for ccp as well if a link carries too heavy a load for the time
   * step.
   */
  coordinates?: Coordinates;
  /** Magnetic field that magnetometers measure, in world axes, T. Default: 0 -0.5 0. */
  magneticField?: [number, number, number];
  /** The fluid around the bodies. Default: none. */
  medium?: Medium;
  /** Parts of the physics to switch off. Default: none. */
  disable?: Feature[];
  /** Contact parameters that replace those of every contact. Default: none. */
  contactOverride?: ContactOverride;
  /** Contact model for each kind of pair; overrides the settings of shapes and soft bodies. Default: their own settings. */
  contactKinds?: ContactKinds;
  /**
   * What happens to bodies that overlap at the start or after they have been moved. `separate`: two bodies are separated if they overlap by
   * at most half the thickness of the thinner shape; free bodies are freed from planes and terrain if they overlap by at most half their
   * length, and soft bodies from any depth, except under `ipc`. `ipc` moves bodies apart before the step, jointed bodies together; the
   * other formulations push them apart at up to 0.6 m/s. A pair that overlaps more deeply, or that `ipc` cannot move apart, has no contact
   * until it has come apart, and is listed in `unresolved`. `ignore-pairs`: every overlapping pair has no contact until it has come apart.
   * `refuse`: an overlap is an error. Overlaps below half the barrier distance (0.5 mm) count as round-off. Under `mujoco` with one of
   * MuJoCo's integrators in joint coordinates, the rule applies only if it is given; otherwise contacts push bodies apart as in MuJoCo.
   * Default: 'separate'.
   */
  start?: StartRule;
  /**
   * Whether bodies that move more than half their thickness in a step are checked for contact along their path, so that they do not pass
   * through others, and whether a step is solved again if it throws bodies into others. `auto`: on, except under `mujoco` with one of
   * MuJoCo's integrators, which then keeps MuJoCo's trajectories. `ipc` never lets bodies pass through each other. Default: 'auto'.
   */
  fastBodies?: FastBodies;
  /** Lets resting bodies sleep until something touches or drives them. Default: no body falls asleep. */
  sleep?: SleepOptions;
  /**
   * How contact points of convex meshes, cylinders, ellipsoids and height fields are chosen. `spread`: the points that spread the support
   * most widely, regardless of the order of the vertices in a mesh. `mujoco`: the points of MuJoCo 4.0, for the same motion. `ipc` works
   * with distances instead of points. Default: 'mujoco' under `mujoco` with one of MuJoCo's integrators, as in MJCF files; otherwise
   * 'spread'.
   */
  contactPoints?: ContactPointRule;
  /**
   * Longest time that a step may take to compute, s; a step that takes longer is abandoned as `timed-out`. In the library this needs a
   * clock, which is an option of `Simulation`. Default: none in the engine, 60 for `nexdyn run` and `nexdyn compare`, 20 in the studio.
   */
  maxStepTime?: number;
  /** Options of `mujoco`. */
  mujoco?: MujocoOptions;
  /** Options of `sap`. */
  sap?: SapOptions;
  /** Options of `ccp`. */
  ccp?: CcpOptions;
  /** Options of `ipc`. */
  ipc?: IpcOptions;
  /** Options of `penalty`. */
  penalty?: PenaltyOptions;
}

/** When bodies fall asleep. */
export interface SleepOptions {
  /** Speed below which a body counts as resting, m/s; for rotations, the speed of its surface. Default: 1e-4. */
  tolerance?: number;
}

/** A fluid that exerts drag on moving bodies. */
export interface Medium {
  /** Density of the fluid, kg/m³. Default: 0. */
  density?: number;
  /** Viscosity, Pa s. Default: 0. */
  viscosity?: number;
  /** Velocity of the fluid, m/s. Default: 0 0 0. */
  wind?: Vec3;
}

/** Contact parameters for all contacts. */
export interface ContactOverride {
  /** Gap below which contacts act, m. */
  margin?: number;
  /** Time constant (s) and damping ratio under `mujoco`; both negative: stiffness (1/s²) and damping (1/s). */
  solref?: Solref;
  /** Impedance under `mujoco`: at zero depth, at the width, width (m), midpoint, power. */
  solimp?: Solimp;
  /** Two sliding coefficients, spin (m), two rolling (m). */
  friction?: [number, number, number, number, number];
}

/** At points, by hydroelastic pressure, or not at all. */
export type ContactKind = 'point' | 'hydroelastic' | 'none';

/** Contact models for pairs of two kinds; kinds that are left out use the settings of the shapes. Floors are planes and terrain. */
export interface ContactKinds {
  /** A rigid shape and a plane or terrain. Default: the settings of the shapes. */
  rigidFloor?: ContactKind;
  /** Two rigid shapes. Default: the settings of the shapes. */
  rigidRigid?: ContactKind;
  /** A soft body and a plane or terrain. Default: the setting of the soft body. */
  softFloor?: ContactKind;
  /** A soft body and a rigid shape. Default: the setting of the soft body. */
  softRigid?: ContactKind;
  /** Two soft bodies, or one soft body and itself. Default: the settings of the soft bodies. */
  softSoft?: ContactKind;
}

/** Options of `mujoco`. */
export interface MujocoOptions {
  /** Newton's method with Cholesky factors, conjugate gradients, or Gauss-Seidel on the forces. Default: 'newton'. */
  solver?: 'newton' | 'cg' | 'pgs';
  /**
   * Shape of the friction cone. MJCF files that do not set it use pyramids, as in MuJoCo. Default: elliptic; pyramidal if `pyramidEdges` is
   * given.
   */
  cone?: 'pyramidal' | 'elliptic';
  /** Number n of edges of the friction pyramid in the tangent plane; its friction lies between μ cos(π/n) and μ. Default: 4. */
  pyramidEdges?: PyramidEdges;
  /** Largest number of iterations. Default: 100. */
  iterations?: number;
  /** Stop when the improvement or the gradient, divided by the sum of inertias, is below this value. Default: 1e-8. */
  tolerance?: number;
  /** Largest number of evaluations of a line search. Default: 50. */
  lineSearchIterations?: number;
  /** Slope at which a line search stops, relative to the tolerance of the solver. Default: 0.01. */
  lineSearchTolerance?: number;
  /**
   * Ratio of friction to normal impedance; contacts creep less with higher values (elliptic cones). MJCF files that do not set it use 1, as
   * in MuJoCo. Default: 100; 1 with pyramids.
   */
  impedanceRatio?: number;
  /** Passes that remove slip after the solve. Default: 0. */
  noslipIterations?: number;
  /** Improvement per pass at which to stop. Default: 1e-6. */
  noslipTolerance?: number;
  /** Storage of the constraint Jacobian. Default: 'auto'. */
  jacobian?: 'auto' | 'dense' | 'sparse';
  /** `genesis`: four-edge pyramid, no Jacobian-rate term, and the larger of two friction coefficients for a pair. Default: 'mujoco'. */
  variant?: 'mujoco' | 'genesis';
}

/** Even, so that a pyramid is the same forwards and backwards. */
export type PyramidEdges = 4 | 6 | 8 | 10 | 12 | 14 | 16 | 18 | 20 | 22 | 24 | 26 | 28 | 30 | 32;

/** Options of `sap`. */
export interface SapOptions {
  /**
   * Newton's method with Cholesky factors (`newton`), or with conjugate gradients and no matrix (`pcg`); `auto` begins with the smoothing
   * Newton method if the starting point is far from the minimum. Default: 'auto'.
   */
  solver?: 'auto' | 'newton' | 'pcg';
  /** Friction and dissipation law; `lagged` (Hunt-Crossley) has no dilation gap. Default: 'sap'. */
  contactModel?: 'sap' | 'lagged';
  /** Largest number of iterations. Default: 100. */
  iterations?: number;
  /** Scaled gradient at which to stop, √J. Default: 1e-14. */
  absoluteTolerance?: number;
  /** Scaled gradient at which to stop, relative to the momentum, without unit. Default: 1e-6. */
  relativeTolerance?: number;
  /** Storage of the matrix of `newton`. Default: 'auto'. */
  matrix?: 'auto' | 'dense' | 'sparse';
  /** Largest number of evaluations of a line search. Default: 100. */
  lineSearchIterations?: number;
  /** Slope at which a line search stops, relative to the slope at its start, without unit. Default: 1e-8. */
  lineSearchTolerance?: number;
  /** Largest number of conjugate-gradient iterations per Newton iteration; 0: two per unknown plus 20. Default: 0. */
  pcgIterations?: number;
  /** Relative residual at which conjugate gradients stop, without unit; it shrinks as Newton converges. Default: 0.1. */
  pcgTolerance?: number;
  /** Near-rigid parameter β of contacts, without unit: their period is at least β steps. Default: 0.5. */
  nearRigid?: number;
  /** Near-rigid parameter β of limits, equalities, dry friction and drives, without unit. Default: 0.1. */
  nearRigidJoint?: number;
  /** Friction regularisation σ, without unit: sticking contacts creep by σ g h or less. Default: 1e-3. */
  frictionRegularization?: number;
  /** Contact stiffness where the material has none, N/m. Default: 1e6. */
  stiffness?: number;
  /** Dissipation time where the material has none, s; `lagged` uses `huntCrossley` instead. Default: 0.01. */
  dissipation?: number;
  /** Hunt-Crossley dissipation d of `lagged`, force = elastic force (1 − d v), s/m. Default: 20. */
  huntCrossley?: number;
  /** Stiction velocity of `lagged`, m/s. Default: 1e-4. */
  stictionVelocity?: number;
  /** Largest gap at which a contact is detected before the surfaces touch, m. Default: the gap that closes in one step at 2.5 m/s. */
  envelope?: number;
}

/** Options of `ccp`. */
export interface CcpOptions {
  /**
   * Accelerated projected gradients (`apgd`), Barzilai-Borwein (`spg`), Gauss-Seidel (`pgs`), or alternating directions with a matrix
   * factor (`admm`); `auto`: an interior-point method for islands of contacts, gradients elsewhere. Default: 'auto'.
   */
  solver?: 'auto' | 'apgd' | 'spg' | 'pgs' | 'admm';
  /** Largest number of iterations. Default: 3000. */
  iterations?: number;
  /** Scaled natural map at which to stop, without unit. Default: 1e-6. */
  tolerance?: number;
  /** Largest speed at which penetration is removed, m/s. Default: 0.6. */
  recoverySpeed?: number;
  /** Smallest separation speed after an impact, m/s; slower impacts do not bounce. Default: 0.1. */
  bounceSpeed?: number;
  /** Compliance of contacts, m/N. Default: 0. */
  compliance?: number;
  /** Relaxation time of compliant contacts, s. Default: 0. */
  relaxation?: number;
  /** Solve the Coulomb-Signorini problem with an outer loop. Default: false. */
  coulomb?: boolean;
  /** Largest number of passes of the outer loop. Default: 50. */
  coulombIterations?: number;
  /** Scale contacts of light and heavy bodies to the same size before solving. Default: true. */
  scaling?: boolean;
  /** Largest gap at which a contact is detected before the surfaces touch, m. Default: the gap that closes in one step at 2.5 m/s. */
  envelope?: number;
}

/** Options of `ipc`. */
export interface IpcOptions {
  /** Distance at which the barrier begins, m. Default: 1e-3. */
  barrierDistance?: number;
  /** Barrier stiffness, Pa. Default: adapted to weights and elastic moduli. */
  barrierStiffness?: number;
  /** Minimum separation of surfaces, m. Default: 0. */
  separation?: number;
  /** Slip speed below which friction is smoothed, m/s; for joints rad/s. Default: 1e-3. */
  frictionVelocity?: number;
  /** Passes of lagged friction in a step; −1 repeats until nothing changes. Default: 1. */
  frictionPasses?: number;
  /** Largest number of Newton iterations. Default: 300. */
  iterations?: number;
  /** Largest vertex speed in the last Newton step at which to stop, m/s. Default: 1e-4. */
  tolerance?: number;
  /**
   * The guarantee of contact with signed-distance shapes. ρ is the covering radius of the samples of a surface, e is the error of the
   * field. `samples`: no sample of a surface enters the field; a surface is never deeper in it than ρ + e. `margin`: surfaces never
   * intersect; they keep a visible gap of up to ρ + e. `swept`: surfaces never intersect and keep no such gap; instead of the field, it
   * uses exact distances of points, edges and triangles with a radius. It is available for fields of meshes and tori, and refused for
   * grids. Default: 'margin'.
   */
  signedDistancePromise?: 'samples' | 'margin' | 'swept';
  /** ρ: no point of a sampled surface is farther from its samples than about this, m. Default: that of about 1024 samples. */
  signedDistanceCovering?: number;
  /** Whether joints are enforced by an augmented Lagrangian or by a pure penalty. Default: 'augmentedLagrangian'. */
  joints?: 'augmentedLagrangian' | 'penalty';
  /** γ: the penalty of a joint row is γ times its effective inertia over the square of the time step; without unit. Default: 100. */
  jointPenalty?: number;
  /** Factor on γ after an update that did not reduce the joint drift tenfold; 1 keeps γ. Default: 10. */
  jointPenaltyGrowth?: number;
  /** Largest number of multiplier updates per minimisation. Default: 40. */
  jointRounds?: number;
  /** Allowed joint drift, m. Default: 1e-6. */
  jointTolerance?: number;
  /** Allowed joint drift, rad. Default: 1e-6. */
  jointAngleTolerance?: number;
}

/** Options of `penalty`. */
export interface PenaltyOptions {
  /**
   * When the damping and friction of contacts are evaluated: `semiImplicit` at the end of the step, `explicit` at its start. Contact
   * springs are evaluated at the start in both cases. Default: 'semiImplicit'.
   */
  contactForce?: 'semiImplicit' | 'explicit';
  /** Contact stiffness where the material has none, N/m. Default: from the masses and the time step, so that the step is stable. */
  stiffness?: number;
  /** Hunt-Crossley dissipation d where the material has no dissipation time, force = elastic force (1 − d v), s/m. Default: 20; 1 if `explicit`. */
  dissipation?: number;
  /** Slip speed below which friction is smoothed, m/s. Default: 1e-3; if `explicit`, the speed that the time step resolves. */
  slipSpeed?: number;
  /** Largest number of Newton iterations. Default: 100. */
  iterations?: number;
  /** Scaled gradient at which to stop, relative to the momentum, without unit. Default: 1e-6. */
  tolerance?: number;
}

/** Rules applied to masses and inertias at compile time. */
export interface MassRules {
  /** Smallest mass of a moving body, kg. Default: 0. */
  minimumMass?: number;
  /** Smallest principal moment of a moving body, kg m². Default: 0. */
  minimumInertia?: number;
  /** All masses and inertias are scaled so that the masses sum to this value, kg. Default: not scaled. */
  totalMass?: number;
  /** Impossible moments (one above the sum of the others) are replaced by their mean instead of being an error. Default: false. */
  balanceInertia?: boolean;
}
