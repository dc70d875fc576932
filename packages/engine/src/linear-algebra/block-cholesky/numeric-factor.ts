/**
 * H = L Lᵀ front by front (multifrontal): each front gathers its columns of the matrix and the rests of its children,
 *
 *   [ F₁₁  ·   ]      F₁₁ = L₁₁ L₁₁ᵀ,  L₂₁ = F₂₁ L₁₁⁻ᵀ   (panel),     rest = F₂₂ − L₂₁ L₂₁ᵀ   (taken in by the parent)
 *   [ F₂₁  F₂₂ ]
 *
 * Only lower triangles are meant; numbers above a diagonal are neither read nor cleared.
 * Source: Liu, The multifrontal method for sparse matrix solution (1992).
 */
import { factorPanel } from './panel-factor.ts';
import { subtractProduct } from './panel-product.ts';
import { ASSEMBLY_FIELDS, type SymbolicFactor } from './symbolic-factor.ts';

/** Writes the panels of L from the matrix. Returns the first column (in order of elimination) that fails, or -1. */
export function factorFronts(
  symbolic: SymbolicFactor,
  matrix: Float64Array,
  panels: Float64Array,
  inverse: Float64Array,
  rests: Float64Array,
): number {
  const { frontCount, width, boundary, panelStart, restStart, scalarStart, lastChild, previousChild } = symbolic;
  for (let f = 0; f < frontCount; f++) {
    const w = width[f];
    const b = boundary[f];
    const panel = panelStart[f];
    const rest = restStart[f];
    panels.fill(0, panel, panel + (w + b) * w);
    rests.fill(0, rest, rest + b * b);
    assemble(symbolic, f, matrix, panels);
    for (let c = lastChild[f]; c >= 0; c = previousChild[c]) takeIn(symbolic, c, panels, panel, w, rests, rest, b);
    const bad = factorPanel(panels, panel, inverse, scalarStart[f], w, w + b);
    if (bad >= 0) return scalarStart[f] + bad;
    const below = panel + w * w;
    subtractProduct(rests, rest, b, b, b, panels, below, below, w, w, true);
  }
  return -1;
}

/** Copies the blocks of the matrix that begin in front f. */
function assemble(symbolic: SymbolicFactor, f: number, matrix: Float64Array, panels: Float64Array): void {
  const { assembly, assemblyStart, width } = symbolic;
  const stride = width[f];
  for (let k = assemblyStart[f]; k < assemblyStart[f + 1]; k += ASSEMBLY_FIELDS) {
    let source = assembly[k];
    let target = assembly[k + 1];
    const rows = assembly[k + 2];
    const columns = assembly[k + 3];
    if (assembly[k + 4] === 0) {
      for (let i = 0; i < rows; i++, target += stride) {
        for (let j = 0; j < columns; j++) panels[target + j] = matrix[source++];
      }
    } else {
      for (let j = 0; j < columns; j++, target++) {
        for (let i = 0, t = target; i < rows; i++, t += stride) panels[t] = matrix[source++];
      }
    }
  }
}

/** Adds the rest of child c to the panel (w columns) and to the rest (b columns) of its parent. */
function takeIn(
  symbolic: SymbolicFactor,
  c: number,
  panels: Float64Array,
  panel: number,
  w: number,
  rests: Float64Array,
  rest: number,
  b: number,
): void {
  const { parentRun, parentRunStart, restStart, boundary } = symbolic;
  const first = parentRunStart[c];
  const end = parentRunStart[c + 1];
  const size = boundary[c];
  let source = restStart[c];
  for (let k = first; k < end; k += 2) {
    const place = parentRun[k];
    const length = parentRun[k + 1];
    for (let i = 0; i < length; i++) {
      // columns up to the diagonal, run by run
      const toPanel = panel + (place + i) * w;
      const toRest = rest + (place + i - w) * b - w;
      let from = source;
      for (let m = first; m <= k; m += 2) {
        const column = parentRun[m];
        const count = m < k ? parentRun[m + 1] : i + 1;
        if (column < w) {
          let to = toPanel + column;
          for (let j = 0; j < count; j++) panels[to++] += rests[from++];
        } else {
          let to = toRest + column;
          for (let j = 0; j < count; j++) rests[to++] += rests[from++];
        }
      }
      source += size;
    }
  }
}
