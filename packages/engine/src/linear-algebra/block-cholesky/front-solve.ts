/**
 * y ← L⁻ᵀ L⁻¹ y over the panels of a factor, y in the order of elimination. Going forward a front solves with its triangle
 * and subtracts its rows from the entries below; going back it subtracts those entries from its own and solves with the transpose.
 * Sums run over even and odd indices separately, two lanes of the compiled twin.
 */
import type { SymbolicFactor } from './symbolic-factor.ts';

export function solveFronts(
  symbolic: SymbolicFactor,
  panels: Float64Array,
  inverse: Float64Array,
  y: Float64Array,
): void {
  const { frontCount, width, panelStart, scalarStart } = symbolic;
  for (let f = 0; f < frontCount; f++) {
    const w = width[f];
    const first = scalarStart[f];
    solveLower(panels, panelStart[f], inverse, y, first, w);
    subtractBelow(symbolic, f, panels, panelStart[f] + w * w, y, first, w);
  }
  for (let f = frontCount - 1; f >= 0; f--) {
    const w = width[f];
    const first = scalarStart[f];
    subtractAbove(symbolic, f, panels, panelStart[f] + w * w, y, first, w);
    solveUpper(panels, panelStart[f], inverse, y, first, w);
  }
}

/** The w entries of y at `first` are solved with L₁₁. */
function solveLower(
  panels: Float64Array,
  panel: number,
  inverse: Float64Array,
  y: Float64Array,
  first: number,
  w: number,
): void {
  let p = panel;
  let i = 0;
  for (; i + 1 < w; i += 2, p += 2 * w) {
    const s0 = subtractPairs(y[first + i], panels, p, y, first, i) * inverse[first + i];
    const s1 = subtractPairs(y[first + i + 1], panels, p + w, y, first, i);
    y[first + i] = s0;
    y[first + i + 1] = (s1 - panels[p + w + i] * s0) * inverse[first + i + 1];
  }
  if (i < w) y[first + i] = subtractPairs(y[first + i], panels, p, y, first, i) * inverse[first + i];
}

/** s − Σ panels[p + k] y[first + k]: even and odd indices separately, then the last one if the length is odd. */
function subtractPairs(
  s: number,
  panels: Float64Array,
  p: number,
  y: Float64Array,
  first: number,
  length: number,
): number {
  let even = 0;
  let odd = 0;
  const pairs = length - (length % 2);
  for (let k = 0; k < pairs; k += 2) {
    even += panels[p + k] * y[first + k];
    odd += panels[p + k + 1] * y[first + k + 1];
  }
  const rest = s - (even + odd);
  return pairs < length ? rest - panels[p + pairs] * y[first + pairs] : rest;
}

/** They are solved with L₁₁ᵀ. */
function solveUpper(
  panels: Float64Array,
  panel: number,
  inverse: Float64Array,
  y: Float64Array,
  first: number,
  w: number,
): void {
  let i = w - 1;
  if (w % 2 === 1) {
    const p = panel + i * w;
    const s = y[first + i] * inverse[first + i];
    y[first + i] = s;
    for (let k = 0; k < i; k++) y[first + k] -= panels[p + k] * s;
    i--;
  }
  for (; i > 0; i -= 2) {
    const q = panel + i * w;
    const p = q - w;
    const s1 = y[first + i] * inverse[first + i];
    const s0 = (y[first + i - 1] - panels[q + i - 1] * s1) * inverse[first + i - 1];
    y[first + i] = s1;
    y[first + i - 1] = s0;
    for (let k = 0; k < i - 1; k++) y[first + k] = y[first + k] - panels[q + k] * s1 - panels[p + k] * s0;
  }
}

/** y₂ ← y₂ − L₂₁ y₁. */
function subtractBelow(
  symbolic: SymbolicFactor,
  f: number,
  panels: Float64Array,
  below: number,
  y: Float64Array,
  first: number,
  w: number,
): void {
  const { rowRun, rowRunStart } = symbolic;
  let p = below;
  for (let k = rowRunStart[f]; k < rowRunStart[f + 1]; k += 2) {
    const end = rowRun[k] + rowRun[k + 1];
    for (let r = rowRun[k]; r < end; r++, p += w) y[r] = subtractPairs(y[r], panels, p, y, first, w);
  }
}

/** y₁ ← y₁ − L₂₁ᵀ y₂. */
function subtractAbove(
  symbolic: SymbolicFactor,
  f: number,
  panels: Float64Array,
  below: number,
  y: Float64Array,
  first: number,
  w: number,
): void {
  const { rowRun, rowRunStart } = symbolic;
  let p = below;
  for (let k = rowRunStart[f]; k < rowRunStart[f + 1]; k += 2) {
    let r = rowRun[k];
    const end = r + rowRun[k + 1];
    for (; r + 2 < end; r += 3) {
      const q = p + w;
      const s = q + w;
      const s0 = y[r];
      const s1 = y[r + 1];
      const s2 = y[r + 2];
      for (let j = 0; j < w; j++) {
        y[first + j] = y[first + j] - panels[p + j] * s0 - panels[q + j] * s1 - panels[s + j] * s2;
      }
      p += 3 * w;
    }
    for (; r < end; r++, p += w) {
      const s0 = y[r];
      for (let j = 0; j < w; j++) y[first + j] -= panels[p + j] * s0;
    }
  }
}
