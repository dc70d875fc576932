/**
 * Attachments of soft bodies as rows over velocities; any force.
 *   vertices fixed to rigid bodies that move   three rows, x − p = 0 in the axes of the world, p the point of the body
 *   ties and clamped edges                      tie-rows.ts
 * Forces act at the vertex on both sides, so that the pair gets no torque. How stiff the rows are, each formulation says. Attachments
 * that are broken have no rows.
 */
import type { SoftContactRows } from '../../contact/soft-contact-rows.ts';
import { transformPoint } from '../../dynamics/poses.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { TieRows } from './tie-rows.ts';

/** A builder of rows, as attachments need it. */
export interface AttachmentHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly softRows: SoftContactRows;
  /** Per vertex of soft bodies: 1 where it is held. */
  readonly softHeld: Float64Array;
  /**
   * Gives the rows of an attachment, the last block, their numbers: residual, m, and the part of its rate that held vertices give it,
   * m/s, one number per row. `body` is the rigid body on one side, −1 where there is none.
   */
  setAttachmentRows(
    first: number,
    dimension: number,
    residual: Float64Array,
    heldVelocity: Float64Array,
    body: number,
  ): void;
}

const point = /* @__PURE__ */ new Float64Array(3);
const violation = /* @__PURE__ */ new Float64Array(3);
const ties = /* @__PURE__ */ new TieRows();

/** Whether a model has attachments with rows: a body that no joint moves holds its vertices without any. */
export function hasAttachmentRows({ soft, body }: Model): boolean {
  return soft.tie.vertex.length + soft.clamp.edge.length > 0 || soft.attachment.body.some((b) => body.lastDof[b] >= 0);
}

/** Whether attachment `of` of a model is broken in a state. */
export function isBroken({ soft }: Model, { attachmentBroken }: State, of: number): boolean {
  const { breakIndex } = soft.attachments[of];
  return breakIndex >= 0 && attachmentBroken[breakIndex] !== 0;
}

export function addAttachments(host: AttachmentHost, state: State, work: Workspace): void {
  const { model, problem, softRows, softHeld } = host;
  const { attachment, tie, clamp } = model.soft;
  const { vertex, body, point: local } = attachment;
  for (let k = 0; k < vertex.length; k++) {
    if (model.body.lastDof[body[k]] < 0) continue;
    if (softRows.addAttachment(problem.rows, model, work, softHeld, vertex[k], body[k]) < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.attachment, k);
    transformPoint(point, 0, work, body[k], local, 3 * k);
    for (let c = 0; c < 3; c++) violation[c] = work.softPosition[3 * vertex[k] + c] - point[c];
    host.setAttachmentRows(first, 3, violation, softRows.heldVelocity, body[k]);
  }
  for (let k = 0; k < tie.vertex.length; k++) {
    if (isBroken(model, state, tie.of[k])) continue;
    if (ties.addTie(problem.rows, model, work, softHeld, state.softDirector, k) < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.attachment, vertex.length + k);
    host.setAttachmentRows(first, 3, ties.residual, ties.heldVelocity, tie.body[k]);
  }
  for (let k = 0; k < clamp.edge.length; k++) {
    if (isBroken(model, state, clamp.of[k])) continue;
    if (ties.addClamp(problem.rows, model, work, softHeld, state.softDirector, k) < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.attachment, vertex.length + tie.vertex.length + k);
    host.setAttachmentRows(first, 1, ties.residual, ties.heldVelocity, clamp.body[k]);
  }
}

/** Forces of vertices fixed and tied, three numbers each, N, on the vertex, and torques of clamps on their edges, N m; zero where a vertex is held without rows. */
export function readAttachmentForces(out: Float64Array, { soft }: Model, problem: ConvexProblem, scale: number): void {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  const points = soft.attachment.vertex.length + soft.tie.vertex.length;
  out.fill(0);
  for (let b = 0; b < rows.blockCount; b++) {
    if (source[b] !== SOURCE.attachment) continue;
    const k = sourceIndex[b];
    const first = rows.rowStart[b];
    if (k >= points) out[2 * points + k] = scale * force[first] * soft.clamp.radius[k - points];
    else for (let c = 0; c < 3; c++) out[3 * k + c] = scale * force[first + c];
  }
}
