/**
 * Importing this file makes available what scenes of many bodies run faster with: block-sparse matrices, which `mujoco` and `sap` use for
 * islands of many bodies, and the compiled dynamics, detection and rows of contacts. Also solvers that options choose: `pgs` and `noslip`.
 */
import { BoxPairRecord } from './collision/box-pair-record.ts';
import { BoxSweep } from './collision/box-sweep.ts';
import { COMPILED_DETECTION } from './collision/compiled-detection.ts';
import './compiled.ts';
import { COMPILED_ROWS } from './contact/compiled-rows.ts';
import { ContactRecord } from './contact/contact-record.ts';
import { COMPILED_MECHANISM } from './dynamics/compiled-mechanism.ts';
import { MechanismRecord } from './dynamics/mechanism-record.ts';
import { provideDynamics } from './kernels/compiled.ts';
import { DYNAMICS_BYTES } from './kernels/dynamics-bytes.ts';
import { RowsRecord } from './linear-algebra/rows-record.ts';
import { CompiledDescent } from './objective/compiled-descent.ts';
import { COMPILED_DESCENT } from './objective/descent-access.ts';
import { DUAL_OBJECTIVES } from './objective/dual-access.ts';
import { DualObjective } from './objective/dual-objective.ts';
import { SlipObjective } from './objective/slip-objective.ts';
import { SparseHessian } from './objective/sparse-hessian.ts';
import { SPARSE_HESSIANS } from './objective/sparse-storage.ts';

provideDynamics(DYNAMICS_BYTES);
COMPILED_MECHANISM.provide(MechanismRecord);
COMPILED_DESCENT.provide(CompiledDescent);
COMPILED_DETECTION.provide({ BoxPairRecord, BoxSweep });
COMPILED_ROWS.provide({ ContactRecord, RowsRecord });
DUAL_OBJECTIVES.provide({ DualObjective, SlipObjective });
SPARSE_HESSIANS.provide(
  (objective, product, memory, coupling) => new SparseHessian(objective, product, memory, coupling),
);
