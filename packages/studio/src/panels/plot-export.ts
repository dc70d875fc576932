/** Curves as a table, plots as a picture. */
import { fileNameOf, saveFile } from '../save-file.ts';
import { SAMPLE_ORDER, type SampleField } from '../session/sample.ts';
import type { Studio } from '../studio.ts';

/** Headings of the table: what it is, and its unit. */
const HEADINGS: Readonly<Record<SampleField, string>> = {
  time: 'time (s)',
  kinetic: 'kinetic energy (J)',
  potential: 'potential energy (J)',
  elastic: 'elastic energy (J)',
  momentum: 'linear momentum (kg m/s)',
  angularMomentum: 'angular momentum (kg m^2/s)',
  iterations: 'iterations',
  residual: 'residual',
  status: 'status (0 converged, 1 iteration limit, 2 stalled, 3 diverged)',
  contacts: 'contacts',
  depth: 'penetration (m)',
  distance: 'least distance (m)',
  freeStep: 'free step',
  kinematics: 'kinematics (ms per step)',
  freeMotion: 'free motion (ms per step)',
  collision: 'collision (ms per step)',
  solve: 'solve (ms per step)',
  integrate: 'integrate (ms per step)',
};

type Columns = Readonly<Record<SampleField, readonly (number | null)[]>>;

/** All curves as comma-separated values; nothing where there is no value. */
export function formatCurves(columns: Columns): string {
  const lines = [SAMPLE_ORDER.map((field) => HEADINGS[field]).join(',')];
  columns.time.forEach((_, i) => {
    lines.push(SAMPLE_ORDER.map((field) => columns[field][i] ?? '').join(','));
  });
  return `${lines.join('\n')}\n`;
}

export function saveCurves(studio: Studio): void {
  saveFile(new Blob([formatCurves(studio.history.columns)], { type: 'text/csv' }), `${nameOf(studio)}.csv`);
}

/** All plots of the page under each other, each with its name. */
export async function savePlots(studio: Studio): Promise<void> {
  const plots = [...document.querySelectorAll<HTMLElement>('.plot')];
  const pictures = plots.flatMap((plot) => {
    const canvas = plot.querySelector('canvas');
    return canvas ? [{ canvas, name: plot.dataset['plot'] ?? '' }] : [];
  });
  if (pictures.length === 0) return;
  const ratio = devicePixelRatio;
  const heading = 22 * ratio;
  const width = Math.max(...pictures.map(({ canvas }) => canvas.width)) + 16 * ratio;
  const height = pictures.reduce((sum, { canvas }) => sum + canvas.height + heading, 8 * ratio);
  const sheet = new OffscreenCanvas(width, height);
  const context = sheet.getContext('2d')!;
  const style = getComputedStyle(document.querySelector('.side') ?? document.body);
  context.fillStyle = style.backgroundColor;
  context.fillRect(0, 0, width, height);
  let top = 0;
  for (const { canvas, name } of pictures) {
    context.fillStyle = style.color;
    context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
    context.fillText(name, 10 * ratio, top + 16 * ratio);
    context.drawImage(canvas, 8 * ratio, top + heading);
    top += canvas.height + heading;
  }
  saveFile(await sheet.convertToBlob({ type: 'image/png' }), `${nameOf(studio)}-plots.png`);
}

function nameOf(studio: Studio): string {
  return fileNameOf(studio.scene.value?.facts.name ?? 'scene');
}
