/**
 * Vertices of soft bodies fixed to rigid bodies that move: three rows each, x − p = 0 in the axes of the world, p the point of
 * the body; any force. Both forces act at x, so that the pair gets no torque. How stiff the rows are, each formulation says.
 */
import type { SoftContactRows } from '../../contact/soft-contact-rows.ts';
import { transformPoint } from '../../dynamics/poses.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';

/** A builder of rows, as attachments need it. */
export interface AttachmentHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly softRows: SoftContactRows;
  /** Per vertex of soft bodies: 1 where it is held. */
  readonly softHeld: Float64Array;
  /**
   * Gives the rows of attachment k, the last block, their numbers: x − p, m, and the part of its rate that held vertices give it, m/s,
   * three numbers each.
   */
  setAttachmentRows(k: number, first: number, violation: Float64Array, heldVelocity: Float64Array): void;
}

const point = /* @__PURE__ */ new Float64Array(3);
const violation = /* @__PURE__ */ new Float64Array(3);

/** Whether a model has attachments with rows: a body that no joint moves holds its vertices without any. */
export function hasAttachmentRows({ soft, body }: Model): boolean {
  return soft.attachment.body.some((b) => body.lastDof[b] >= 0);
}

export function addAttachments(host: AttachmentHost, work: Workspace): void {
  const { model, problem, softRows, softHeld } = host;
  const { vertex, body, point: local } = model.soft.attachment;
  for (let k = 0; k < vertex.length; k++) {
    if (model.body.lastDof[body[k]] < 0) continue;
    if (softRows.addAttachment(problem.rows, model, work, softHeld, vertex[k], body[k]) < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.attachment, k);
    transformPoint(point, 0, work, body[k], local, 3 * k);
    for (let c = 0; c < 3; c++) violation[c] = work.softPosition[3 * vertex[k] + c] - point[c];
    host.setAttachmentRows(k, first, violation, softRows.heldVelocity);
  }
}
