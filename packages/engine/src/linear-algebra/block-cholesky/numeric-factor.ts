/**
 * H = L Lᵀ front by front (multifrontal): each front assembles its columns of the matrix and the Schur complements of its children,
 *
 *   [ F₁₁  ·   ]      F₁₁ = L₁₁ L₁₁ᵀ,  L₂₁ = F₂₁ L₁₁⁻ᵀ   (panel),     rest = F₂₂ − L₂₁ L₂₁ᵀ   (Schur complement, assembled by the parent)
 *   [ F₂₁  F₂₂ ]
 *
 * Only lower triangles are used; numbers above a diagonal are neither read nor cleared.
 * Source: Liu, The multifrontal method for sparse matrix solution (1992).
 */
import { factorPanel } from './panel-factor.ts';
import { writeNegativeSquare } from './panel-product.ts';
import { ASSEMBLY_FIELDS, type SymbolicFactor } from './symbolic-factor.ts';

/**
 * Writes the panels of L from the matrix, those from front `first` on: the last one alone may be done again, for the rests of its children
 * are there. Returns the first column (in order of elimination) that fails, or -1.
 */
export function factorFronts(
  symbolic: SymbolicFactor,
  matrix: Float64Array,
  panels: Float64Array,
  inverse: Float64Array,
  rests: Float64Array,
  first = 0,
): number {
  const { frontCount, width, boundary, panelStart, restStart, scalarStart, lastChild, previousChild } = symbolic;
  for (let f = first; f < frontCount; f++) {
    const w = width[f];
    const b = boundary[f];
    const panel = panelStart[f];
    const rest = restStart[f];
    panels.fill(0, panel, panel + (w + b) * w);
    assemble(symbolic, f, matrix, panels);
    for (let c = lastChild[f]; c >= 0; c = previousChild[c]) addToPanel(symbolic, c, rests, panels, panel, w);
    const bad = factorPanel(panels, panel, inverse, scalarStart[f], w, w + b);
    if (bad >= 0) return scalarStart[f] + bad;
    if (b === 0) continue;
    // the product first: the rest needs no zeros to begin with
    writeNegativeSquare(rests, rest, b, panels, panel + w * w, w);
    for (let c = lastChild[f]; c >= 0; c = previousChild[c]) addToRest(symbolic, c, rests, rest, w, b);
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
    if (assembly[k + 4] === 0 && columns % 3 === 0) {
      // bodies and vertices: three columns at once
      for (let i = 0; i < rows; i++, target += stride) {
        for (let j = target; j < target + columns; j += 3, source += 3) {
          panels[j] = matrix[source];
          panels[j + 1] = matrix[source + 1];
          panels[j + 2] = matrix[source + 2];
        }
      }
    } else if (assembly[k + 4] === 0) {
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

/** Adds the columns of the rest of child c that the parent eliminates to the panel of the parent. */
function addToPanel(
  symbolic: SymbolicFactor,
  c: number,
  rests: Float64Array,
  panels: Float64Array,
  panel: number,
  w: number,
): void {
  const { parentRun, parentRunStart, parentRunRest, restStart, boundary } = symbolic;
  const first = parentRunStart[c];
  const middle = parentRunRest[c];
  const end = parentRunStart[c + 1];
  const size = boundary[c];
  let source = restStart[c];
  for (let k = first; k < end; k += 2) {
    const length = parentRun[k + 1];
    let row = panel + parentRun[k] * w;
    for (let i = 1; i <= length; i++) {
      // columns up to the diagonal, run by run
      let from = source;
      for (let m = first; m < middle && m <= k; m += 2) {
        let to = row + parentRun[m];
        const last = from + (m < k ? parentRun[m + 1] : i);
        while (from < last) panels[to++] += rests[from++];
      }
      source += size;
      row += w;
    }
  }
}

/** Adds the Schur complement of child c to the front of the parent. */
function addToRest(symbolic: SymbolicFactor, c: number, rests: Float64Array, rest: number, w: number, b: number): void {
  const { parentRun, parentRunStart, parentRunRest, restStart, boundary } = symbolic;
  const middle = parentRunRest[c];
  const end = parentRunStart[c + 1];
  const size = boundary[c];
  // rows and columns of the child that the panel took
  let taken = 0;
  for (let k = parentRunStart[c]; k < middle; k += 2) taken += parentRun[k + 1];
  let source = restStart[c] + taken * size + taken;
  for (let k = middle; k < end; k += 2) {
    const length = parentRun[k + 1];
    let row = rest + (parentRun[k] - w) * b - w;
    for (let i = 1; i <= length; i++) {
      let from = source;
      for (let m = middle; m <= k; m += 2) {
        let to = row + parentRun[m];
        const last = from + (m < k ? parentRun[m + 1] : i);
        while (from < last) rests[to++] += rests[from++];
      }
      source += size;
      row += b;
    }
  }
}
