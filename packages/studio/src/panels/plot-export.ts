/** Curves as a table, plots as a picture. */
import { fileNameOf, saveFile } from '../save-file.ts';
import { SAMPLE_ORDER, type SampleField, TERM_FIELDS, type TermField } from '../session/sample.ts';
import type { Studio } from '../studio.ts';
import { PLOTS_SHOWN, paintPlot, resolveColor, type TimePlotProps } from './time-plot.tsx';

/** Headings of the table: what it is, and its unit. */
const HEADINGS: Readonly<Record<SampleField, string>> = {
  time: 'time (s)',
  kinetic: 'kinetic energy (J)',
  potential: 'potential energy (J)',
  elastic: 'elastic energy (J)',
  term1: 'energy of term 1 (J)',
  term2: 'energy of term 2 (J)',
  term3: 'energy of term 3 (J)',
  term4: 'energy of term 4 (J)',
  term5: 'energy of term 5 (J)',
  term6: 'energy of term 6 (J)',
  term7: 'energy of term 7 (J)',
  term8: 'energy of term 8 (J)',
  term9: 'energy of term 9 (J)',
  momentum: 'linear momentum (kg m/s)',
  angularMomentum: 'angular momentum (kg m^2/s)',
  iterations: 'iterations',
  residual: 'residual',
  status: 'status (0 converged, 1 iteration limit, 2 stalled, 3 diverged, 4 infeasible, 5 unstable, 6 timed out)',
  contacts: 'contacts',
  depth: 'penetration (m)',
  distance: 'least distance (m)',
  collisionFreeStep: 'collision-free step',
  kinematics: 'kinematics (ms per step)',
  freeMotion: 'free motion (ms per step)',
  collision: 'collision (ms per step)',
  solve: 'solve (ms per step)',
  integrate: 'integrate (ms per step)',
};

type Columns = Readonly<Record<SampleField, readonly (number | null)[]>>;

/** All curves as comma-separated values; nothing where there is no value. */
export function formatCurves(columns: Columns, terms: readonly string[] = []): string {
  const empty = new Set<SampleField>(TERM_FIELDS.slice(terms.length));
  const fields = SAMPLE_ORDER.filter((field) => !empty.has(field));
  const headings = new Map(terms.slice(0, TERM_FIELDS.length).map((name, i) => [TERM_FIELDS[i]!, `"${name} (J)"`]));
  const lines = [fields.map((field) => headings.get(field as TermField) ?? HEADINGS[field]).join(',')];
  columns.time.forEach((_, i) => {
    lines.push(fields.map((field) => columns[field][i] ?? '').join(','));
  });
  return `${lines.join('\n')}\n`;
}

export function saveCurves(studio: Studio): void {
  saveFile(
    new Blob([formatCurves(studio.history.columns, studio.scene.value?.facts.terms)], { type: 'text/csv' }),
    `${nameOf(studio)}.csv`,
  );
}

/** Sizes of the picture, in pixels of the screen. */
const SHEET = { width: 760, margin: 24, heading: 48, name: 28 };

/** All plots of the page under each other, redrawn as wide as a picture, each with its name and what its curves are. */
export async function savePlots(studio: Studio): Promise<void> {
  const shown = [...PLOTS_SHOWN].sort(([a], [b]) => (a.compareDocumentPosition(b) & 4 ? -1 : 1));
  const { width, margin, heading, name } = SHEET;
  const pictures = [];
  for (const [, props] of shown) pictures.push({ props, canvas: paintPlot(props, width - 2 * margin) });
  if (pictures.length === 0) return;
  const ratio = devicePixelRatio;
  const height = pictures.reduce((sum, { canvas }) => sum + canvas.height / ratio + name, heading + margin);
  const sheet = new OffscreenCanvas(width * ratio, height * ratio);
  const context = sheet.getContext('2d')!;
  context.scale(ratio, ratio);
  const style = getComputedStyle(document.querySelector('.side') ?? document.body);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height);
  const { facts } = studio.scene.value ?? {};
  context.fillStyle = style.color;
  context.font = '600 16px system-ui, sans-serif';
  context.fillText(`${facts?.name ?? ''} · ${facts?.formulation ?? ''}`, margin, 32);
  let top = heading;
  for (const { props, canvas } of pictures) {
    writeLegend(context, props, style.color, top + 18);
    context.drawImage(canvas, margin, top + name, canvas.width / ratio, canvas.height / ratio);
    top += canvas.height / ratio + name;
  }
  saveFile(await sheet.convertToBlob({ type: 'image/png' }), `${nameOf(studio)}-plots.png`);
}

/** Name of a plot on the left, a piece of each curve with its name on the right. */
function writeLegend(
  context: OffscreenCanvasRenderingContext2D,
  { label, curves }: TimePlotProps,
  color: string,
  foot: number,
): void {
  const { width, margin } = SHEET;
  const root = getComputedStyle(document.documentElement);
  context.fillStyle = color;
  context.font = '600 13px system-ui, sans-serif';
  context.fillText(label, margin, foot);
  context.font = '12px system-ui, sans-serif';
  let right = width - margin;
  for (const curve of [...curves].reverse()) {
    right -= context.measureText(curve.label).width;
    context.fillText(curve.label, right, foot);
    context.strokeStyle = resolveColor(root.getPropertyValue(curve.color));
    context.lineWidth = 2;
    context.setLineDash([...(curve.dash ?? [])]);
    context.beginPath();
    context.moveTo(right - 30, foot - 4);
    context.lineTo(right - 6, foot - 4);
    context.stroke();
    right -= 44;
  }
  context.setLineDash([]);
}

function nameOf(studio: Studio): string {
  return fileNameOf(studio.scene.value?.facts.name ?? 'scene');
}
