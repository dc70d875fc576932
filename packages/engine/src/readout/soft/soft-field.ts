/** One number per vertex of a soft body, for colours and tables: averages of elements, or what contact does to the surface. */
import { NexdynError } from '../../error.ts';
import { diagonalizeSymmetric } from '../../linear-algebra/symmetric-eigen.ts';
import { SOFT_QUANTITIES, type SoftQuantity } from '../../soft/soft-quantity.ts';
import type { StressReadout } from '../../soft/stress-readout.ts';
import type { SurfaceReadout } from './surface-readout.ts';

/** What the quantities are made of; each is read where it is needed. */
export interface SoftFieldSource {
  stress(): StressReadout;
  surface(): SurfaceReadout;
  readonly position: Float64Array;
  readonly rest: Float64Array;
}

const tensor = /* @__PURE__ */ new Float64Array(6);
const values = /* @__PURE__ */ new Float64Array(3);
const quaternion = /* @__PURE__ */ new Float64Array(4);

/** Writes a quantity of every vertex. */
export function writeSoftField(out: Float64Array, quantity: SoftQuantity, source: SoftFieldSource): Float64Array {
  switch (quantity) {
    case 'vonMises':
      return copy(out, source.stress().vertexVonMises);
    case 'maximumPrincipalStress':
      return writePrincipal(out, source.stress().vertexStress, 0);
    case 'minimumPrincipalStress':
      return writePrincipal(out, source.stress().vertexStress, 2);
    case 'maximumPrincipalStrain':
      return writePrincipal(out, source.stress().vertexStrain, 0);
    case 'minimumPrincipalStrain':
      return writePrincipal(out, source.stress().vertexStrain, 2);
    case 'bendingMoment':
      return copy(out, source.stress().vertexBendingMoment);
    case 'twistMoment':
      return copy(out, source.stress().vertexTwistMoment);
    case 'pressure':
      return copy(out, source.surface().pressure);
    case 'shear':
      return copy(out, source.surface().shear);
    case 'displacement': {
      const { position: x, rest } = source;
      for (let v = 0; v < out.length; v++)
        out[v] = Math.hypot(x[3 * v] - rest[3 * v], x[3 * v + 1] - rest[3 * v + 1], x[3 * v + 2] - rest[3 * v + 2]);
      return out;
    }
    default:
      throw new NexdynError('invalid-argument', `no quantity "${quantity}" of soft bodies`, {
        hint: `there are: ${Object.keys(SOFT_QUANTITIES).join(', ')}`,
      });
  }
}

function copy(out: Float64Array, from: Float64Array): Float64Array {
  for (let v = 0; v < out.length; v++) out[v] = from[v];
  return out;
}

// the largest (0) or smallest (2) eigenvalue of every tensor
function writePrincipal(out: Float64Array, tensors: Float64Array, which: 0 | 2): Float64Array {
  for (let v = 0; v < out.length; v++) {
    for (let k = 0; k < 6; k++) tensor[k] = tensors[6 * v + k];
    diagonalizeSymmetric(tensor, values, quaternion);
    out[v] = which === 0 ? Math.max(values[0], values[1], values[2]) : Math.min(values[0], values[1], values[2]);
  }
  return out;
}
