/**
 * The constraints of a simulation as MuJoCo lists them: one row per line of its efc arrays, pyramids as their edges
 * n + μ₁ t₁, n − μ₁ t₁, n + μ₂ t₂ …, and the oracle's arrays in the same form.
 */
import type { ContactSet, Formulation, Model, Simulation, State, Workspace } from '@nexdyn/engine';
import { Arena, CONSTRAINT_LAW, SOURCE, ZONE } from '@nexdyn/engine/solvers';
import { MujocoBuilder } from '../../packages/engine/src/formulation/mujoco/mujoco-builder.ts';
import { createJointWorkspace } from '../../packages/engine/src/joint/joint-workspace.ts';
import { NO_SOFT_BODIES } from '../../packages/engine/src/soft/soft-bodies.ts';
import { copy, type Oracle } from './mujoco-oracle.ts';

export interface ConstraintTable {
  /** Row by row, over all dofs. */
  J: Float64Array;
  aref: Float64Array;
  R: Float64Array;
  force: Float64Array;
  /** 0 satisfied, 1 quadratic, 2 linear negative, 3 linear positive, 4 cone. */
  state: number[];
  /** Distance of contacts: of every edge, or of the normal row of a cone, whose tangents have 0; NaN for rows of other kinds. */
  distance: Float64Array;
}

/** MuJoCo's row state of a zone. */
const STATE: Record<number, number> = {
  [ZONE.open]: 0,
  [ZONE.quadratic]: 1,
  [ZONE.high]: 2,
  [ZONE.low]: 3,
  [ZONE.slide]: 4,
};

/** The rows of the last `forward` with their forces. */
export function readConstraints(simulation: Simulation): ConstraintTable {
  const { model, state, derived, solvedContacts, formulation } = simulation;
  return listConstraints(model, state, derived, solvedContacts, formulation);
}

/** The rows of a formulation's last solve. */
export function listConstraints(
  model: Model,
  state: State,
  work: Workspace,
  solvedContacts: ContactSet,
  formulation: Formulation,
): ConstraintTable {
  // the solve numbers columns within islands: build the rows again for their places among all dofs
  const arena = new Arena({ portable: true });
  const builder = new MujocoBuilder(model, createJointWorkspace(model, arena), NO_SOFT_BODIES, arena);
  builder.build(state, work, solvedContacts, state.velocity);
  const solved = formulation.problem!;
  const { problem } = builder;
  const rows = new RowList(model);
  for (let b = 0; b < problem.blockCount; b++) {
    const first = problem.rows.rowStart[b];
    const last = problem.rows.rowStart[b + 1];
    const distance = problem.source[b] === SOURCE.contact ? solvedContacts.gap[problem.sourceIndex[b]] : NaN;
    const row = (r: number): Float64Array => denseRow(model, problem, b, r);
    if (problem.law[b] !== CONSTRAINT_LAW.pyramid) {
      for (let r = first; r < last; r++) {
        const { reference, regularization } = problem;
        const pos = r === first ? distance : 0 * distance;
        rows.push(row(r), reference[r], regularization[r], solved.data.force[r], STATE[solved.data.zone[r]], pos);
      }
      continue;
    }
    const normal = row(first);
    for (let r = first + 1; r < last; r++) {
      const side = row(r);
      for (const sign of [1, -1]) {
        const mu = sign * problem.friction[r];
        const edge = normal.map((n, i) => n + mu * side[i]);
        const aref = problem.reference[first] + mu * problem.reference[r];
        // f = −D min(e, 0) of the edge
        const push = -solved.stiffness[first] * Math.min(0, solved.data.residual[first] + mu * solved.data.residual[r]);
        rows.push(edge, aref, problem.regularization[first], push, push > 0 ? 1 : 0, distance);
      }
    }
  }
  return rows.table();
}

class RowList {
  readonly #width: number;
  readonly #rows: Float64Array[] = [];
  readonly #numbers: number[][] = [];

  constructor(model: Model) {
    this.#width = model.size.velocity;
  }

  push(row: Float64Array, aref: number, R: number, force: number, state: number, distance: number): void {
    this.#rows.push(row);
    this.#numbers.push([aref, R, force, state, distance]);
  }

  table(): ConstraintTable {
    const J = new Float64Array(this.#rows.length * this.#width);
    this.#rows.forEach((row, r) => {
      J.set(row, r * this.#width);
    });
    const column = (k: number): Float64Array => Float64Array.from(this.#numbers, (numbers) => numbers[k]);
    return {
      J,
      aref: column(0),
      R: column(1),
      force: column(2),
      state: [...column(3)],
      distance: column(4),
    };
  }
}

function denseRow(model: Model, { rows }: MujocoBuilder['problem'], block: number, row: number): Float64Array {
  const dense = new Float64Array(model.size.velocity);
  const n = rows.columnCount[block];
  const first = rows.valueStart[block] + (row - rows.rowStart[block]) * n;
  for (let i = 0; i < n; i++) dense[rows.column[rows.columnStart[block] + i]] = rows.value[first + i];
  return dense;
}

/** The rows of the oracle's last `mj_forward`. */
export function readOracleConstraints({ model, data }: Oracle): ConstraintTable {
  const count = data.nefc;
  const type = copy(data.efc_type);
  const pos = copy(data.efc_pos);
  return {
    J: readOracleJacobian({ model, data }, count),
    aref: copy(data.efc_aref).slice(0, count),
    R: copy(data.efc_R).slice(0, count),
    force: copy(data.efc_force).slice(0, count),
    state: [...copy(data.efc_state).slice(0, count)],
    distance: pos.slice(0, count).map((p, r) => (type[r] >= 5 ? p : NaN)),
  };
}

function readOracleJacobian({ model, data }: Pick<Oracle, 'model' | 'data'>, count: number): Float64Array {
  const { nv } = model;
  const values = copy(data.efc_J);
  const isSparse = model.opt.jacobian === 1 || (model.opt.jacobian === 2 && nv >= 60);
  if (!isSparse) return values.slice(0, count * nv);
  const dense = new Float64Array(count * nv);
  const start = copy(data.efc_J_rowadr);
  const length = copy(data.efc_J_rownnz);
  const column = copy(data.efc_J_colind);
  for (let r = 0; r < count; r++)
    for (let k = start[r]; k < start[r] + length[r]; k++) dense[r * nv + column[k]] = values[k];
  return dense;
}
