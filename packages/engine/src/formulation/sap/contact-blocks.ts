/**
 * Contacts as blocks of `sap`. With w = |J A⁻¹ Jᵀ|_F / 3 over normal and tangents:
 *   R_n = max(β²/(4π²) w, 1/(h k (h + τ)))      R_t = σ w      v̂ = (−φ₀/(h + τ), 0, 0)
 * and an elliptic cone; spin and roll have R_t μ²/μ_j². Without friction the normal row alone, a spring that only pushes.
 * Contacts at a positive gap are in as well: they act where the step would close them.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { LAW, SOURCE } from '../../objective/convex-problem.ts';
import { contactStiffness, dissipationTime } from './contact-material.ts';
import { addLagged } from './lagged-contact.ts';
import { regularizeSpring } from './near-rigid.ts';
import type { SapBuilder } from './sap-builder.ts';

/** Friction coefficients up to here stand for none. */
const NO_FRICTION = 1e-5;

export function addContacts(builder: SapBuilder, work: Workspace, contacts: ContactSet): void {
  const { model, problem, contactRows, delassus } = builder;
  const { rows } = problem;
  const isLagged = model.options.sap.contactModel === 'lagged';
  contactRows.begin();
  for (let i = 0; i < contacts.count; i++) {
    const hasFriction = contacts.condim[i] > 1 && contacts.friction[5 * i] > NO_FRICTION;
    const dimension = hasFriction && !isLagged ? contacts.condim[i] : 3;
    const block = contactRows.add(rows, model, work, contacts, i, dimension);
    if (block < 0) continue;
    delassus.measure(rows, block, 3);
    const w = delassus.meanOfThree();
    if (isLagged) addLagged(builder, contacts, i, w, hasFriction);
    else if (hasFriction) addCone(builder, contacts, i, dimension, w);
    else addFrictionless(builder, contacts, i, w);
  }
}

function addCone(builder: SapBuilder, contacts: ContactSet, i: number, dimension: number, w: number): void {
  const { problem, options } = builder;
  const first = problem.describe(LAW.cone, SOURCE.contact, i);
  const normal = setNormal(builder, contacts, i, first, w);
  const tangent = options.frictionRegularization * w;
  const slide = contacts.friction[5 * i];
  problem.friction[first] = slide * Math.sqrt(tangent / normal);
  for (let k = 1; k < dimension; k++) {
    const mu = Math.max(NO_FRICTION, contacts.friction[5 * i + k - 1]);
    problem.friction[first + k] = mu;
    problem.setRow(first + k, 0, (tangent * slide * slide) / (mu * mu), 0, 0);
  }
}

function addFrictionless(builder: SapBuilder, contacts: ContactSet, i: number, w: number): void {
  const { problem } = builder;
  // tangents were there for w alone
  keepFirstRow(builder);
  const first = problem.describe(LAW.spring, SOURCE.contact, i);
  setNormal(builder, contacts, i, first, w);
}

/** Numbers of the normal row; returns R_n. */
function setNormal(builder: SapBuilder, contacts: ContactSet, i: number, row: number, w: number): number {
  const { problem, options, h } = builder;
  const time = dissipationTime(options, contacts, i);
  const normal = regularizeSpring(w, options.nearRigid, h, contactStiffness(options, contacts, i), time);
  problem.setRow(row, -contacts.gap[i] / (h + time), normal, 0, Infinity);
  return normal;
}

/** Takes all rows but the first off the last block. */
function keepFirstRow({ problem: { rows } }: SapBuilder): void {
  const block = rows.blockCount - 1;
  rows.rowCount = rows.rowStart[block] + 1;
  rows.rowStart[block + 1] = rows.rowCount;
  rows.valueEnd = rows.valueStart[block] + rows.columnCount[block];
}
