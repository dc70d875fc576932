export type { Contact, ContactForce, ShapePair } from './collision/contact.ts';
export { CARRIER, CONTACT_MODE, type ContactSet } from './collision/contact-set.ts';
export type { ContactPatch } from './collision/hydroelastic/contact-patches.ts';
export type { ClosestPoints, RayOptions, RayResult } from './collision/queries.ts';
export { type MarkedSimulation, measureGyration, readMarks } from './diagnostics/body-marks.ts';
export { type DeepContact, DeepContacts } from './diagnostics/deep-contacts.ts';
export type { JointForce } from './diagnostics/joint-forces.ts';
export { METRIC_NAMES, METRICS, type Measurement, type Metric, type MetricName } from './diagnostics/metrics.ts';
export { PHASES, type Phase } from './diagnostics/phase-clock.ts';
export { type MeasuredSimulation, type MetricSummary, Ruler, type RulerSummary } from './diagnostics/ruler.ts';
export { type Guarantee, type JudgedRun, judgeGuarantee, judgeRuns, type Verdict } from './diagnostics/verdict.ts';
export type { Energy, Momentum } from './dynamics/energy.ts';
export { placeView, type ViewPose } from './dynamics/view-pose.ts';
export type { Workspace } from './dynamics/workspace.ts';
export * from './error.ts';
export type * from './formulation/formulation.ts';
export {
  type FormulationFactory,
  type FormulationSpec,
  readOptions,
  registerFormulation,
} from './formulation/formulation-table.ts';
export { type RefusedStatus, type SolveStatus, type TakenStatus, wasTaken } from './formulation/solve-status.ts';
export type { SolverReadout } from './formulation/solver-readout.ts';
export * from './geometry/shape-kind.ts';
export {
  type DistanceFunction,
  type GradientFunction,
  registerShape,
  type ShapeSpec,
  type ShapeTriangles,
  type UnitMass,
} from './geometry/shapes/shape-spec.ts';
export type { TracedSurface } from './geometry/signed-distance/trace-surface.ts';
export * from './model/compile.ts';
export { DEFAULT_FRICTION } from './model/constraint-defaults.ts';
export * from './model/model.ts';
export type { ModelParameters } from './model/model-parameters.ts';
export { changeModel, isItemPath, setSceneParameters } from './model/scene-parameters.ts';
export { describePicture, type ShapePicture } from './model/shape-picture.ts';
export { type EnginePart, listEngineParts } from './parts/scene-parts.ts';
export type { AttachmentForce } from './readout/attachment-forces.ts';
export type { BodyPose, BodyVelocity } from './readout/body-motion.ts';
export { type ContactEvent, ContactEvents, type EventfulSimulation } from './readout/contact-events.ts';
export type { DrawnPose, NumberArray } from './readout/drawing.ts';
export type { SensorReading } from './readout/sensor-readout.ts';
export type { RegionReadout } from './readout/soft/region-readout.ts';
export type { SurfaceReadout } from './readout/soft/surface-readout.ts';
export type { SuspendedMotion } from './readout/suspended-motion.ts';
export type * from './scene/actuator.ts';
export type * from './scene/appearance.ts';
export type * from './scene/asset.ts';
export type * from './scene/body.ts';
export * from './scene/builder.ts';
export type * from './scene/camera.ts';
export type * from './scene/contact-filter.ts';
export type * from './scene/equality.ts';
export { DEFAULT_FORMULATION, findFormulation, listFormulations } from './scene/formulation-table.ts';
export type * from './scene/formulation-traits.ts';
export type * from './scene/joint.ts';
export * from './scene/json-schema.ts';
export type * from './scene/keyframe.ts';
export type * from './scene/lesson.ts';
export { DEFAULT_SCENE_LIMITS, type SceneLimits } from './scene/limits.ts';
export type * from './scene/material.ts';
export type * from './scene/mujoco-parameters.ts';
export type * from './scene/options.ts';
export type * from './scene/pose.ts';
export type * from './scene/scene.ts';
/** Building blocks of scene schemas, for shapes that other packages register. */
export * as schema from './scene/schema.ts';
export type * from './scene/sensor.ts';
export { SENSOR_KINDS, type SensorKindSpec } from './scene/sensor-kinds.ts';
export type * from './scene/shape.ts';
export type * from './scene/site.ts';
export type * from './scene/soft-body.ts';
export type * from './scene/tendon.ts';
export * from './scene/validate.ts';
export type * from './scene/view.ts';
export * from './simulation.ts';
export { SOFT_QUANTITIES, type SoftQuantity } from './soft/soft-quantity.ts';
export type { StressReadout } from './soft/stress-readout.ts';
export { hashDoubles } from './state/hash.ts';
export type { AppliedForce } from './state/inputs.ts';
export { STATE_FIELDS, type State, type StateFieldName } from './state/state.ts';
export { registerTerm, type TermKind } from './term/term-registry.ts';
