/**
 * Vertices of soft bodies fixed to rigid bodies that move: three rows each, x − p = 0 in the axes of the world, p the point of
 * the body; any impulse, as stiff as the step resolves, like an equality. Both forces act at x, so that the pair gets no torque.
 */
import { transformPoint } from '../../dynamics/poses.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { SapBuilder } from './sap-builder.ts';

const point = /* @__PURE__ */ new Float64Array(3);

export function addAttachments(builder: SapBuilder, work: Workspace): void {
  const { model, problem, softRows, softHeld } = builder;
  const { vertex, body, point: local } = model.soft.attachment;
  for (let k = 0; k < vertex.length; k++) {
    // a body that does not move holds its vertices
    if (model.body.lastDof[body[k]] < 0) continue;
    if (softRows.addAttachment(problem.rows, model, work, softHeld, vertex[k], body[k]) < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.attachment, k);
    const regularization = builder.regularize(3);
    transformPoint(point, 0, work, body[k], local, 3 * k);
    for (let c = 0; c < 3; c++) {
      const reference =
        builder.stabilizationBias(work.softPosition[3 * vertex[k] + c] - point[c]) - softRows.heldVelocity[c];
      problem.setRow(first + c, reference, regularization[c], -Infinity, Infinity);
    }
  }
}
