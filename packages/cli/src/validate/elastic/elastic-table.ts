/** Errors of elements, shells and rods on two meshes and the order between them: the error falls by 2^order when edges are halved. */
import type { SolidElement } from '@nexdyn/engine';
import { formatMarkdownTable } from '../../markdown-table.ts';
import { measureBuckling, measureCatenary, measureElastica } from './rod-measures.ts';
import { measureArc, measureDrape, measurePlate, measureRoof, measureTwist } from './shell-measures.ts';
import { measureCantilever, measureMembrane, measurePatch, measureSphere } from './solid-measures.ts';
import { ELEMENTS } from './solid-scene.ts';

/** Result over closed form for the two meshes. */
type Row = readonly [problem: string, element: string, meshes: readonly [number, number], of: (mesh: number) => number];

function listSolidRows(element: SolidElement): Row[] {
  const rows: Row[] = [];
  for (const nu of [0.3, 0.49, 0.499])
    rows.push([`beam, ν = ${nu}: cells across`, element, [1, 2], (n) => measureCantilever(element, n, nu)]);
  rows.push([`Cook's membrane: cells`, element, [4, 8], (n) => measureMembrane(element, n) / 23.96]);
  // 10-node elements have a finer mesh inside
  const levels = element === 'tet10' ? ([0, 1] as const) : ([1, 2] as const);
  for (const nu of [0.3, 0.49, 0.499])
    rows.push([`thick sphere, ν = ${nu}: divisions`, element, levels, (n) => measureSphere(element, n, nu)]);
  return rows;
}

const THIN: readonly Row[] = [
  ['plate on hinges: cells', 'shell', [8, 16], (n) => measurePlate(n)],
  ['the same, alternating diagonals', 'shell', [8, 16], (n) => measurePlate(n, 'alternating')],
  ['the same, irregular triangles', 'shell', [8, 16], (n) => measurePlate(n, 'irregular')],
  ['quarter of a cylinder: cells', 'shell', [10, 20], measureArc],
  ['roof of Scordelis and Lo: cells', 'shell', [12, 24], measureRoof],
  ['the same, finer', 'shell', [24, 48], measureRoof],
  ['twisted strip: cells across', 'shell', [4, 8], (n) => measureTwist(n)],
  ['drape: cells', 'shell', [8, 16], measureDrape],
  ['elastica, P L²/E I = 2: edges', 'rod', [16, 32], (n) => measureElastica('sap', n, 2) / 0.49346],
  ['elastica, P L²/E I = 10: edges', 'rod', [16, 32], (n) => measureElastica('sap', n, 10) / 0.81061],
  ['column: edges', 'rod', [12, 24], measureBuckling],
  ['catenary: edges', 'rod', [20, 40], (n) => measureCatenary('sap', n)],
];

/** The section of the page. */
export function formatElasticTable(): string {
  const rows = [...ELEMENTS.flatMap(listSolidRows), ...THIN].map(([problem, element, meshes, of]) => {
    const errors = meshes.map((mesh) => of(mesh) - 1) as [number, number];
    // nothing where the error changes its sign, or where the closed form is not what the mesh converges to
    const falls = errors[0] / errors[1] > 1;
    const order = falls ? Math.log2(errors[0] / errors[1]).toFixed(1) : '';
    return [problem, element, `${meshes[0]}, ${meshes[1]}`, ...errors.map(formatPercent), order];
  });
  const patch = ELEMENTS.map((element) => `${element} ${measurePatch(element).toExponential(0)}`).join(', ');
  const headings = ['problem: mesh', 'element', 'meshes', 'error, coarse', 'error, fine', 'observed order'];
  return `## Elements, shells and rods

Errors against the closed forms of the [elasticity cases](#elasticity) on two meshes, and the order between them. Two cells across a beam are 400 tetrahedra; a sphere divided twice has 3840. There is no order where the error changes its sign, or where the closed form itself is the coarser: beam theory is 0.9 % off at the clamped end for ν = 0.3. Patch tests: ${patch}.

${formatMarkdownTable(headings, rows, (column) => column > 2)}`;
}

function formatPercent(error: number): string {
  const size = Math.abs(100 * error);
  const digits = size >= 1 ? 1 : 2;
  return `${error < 0 ? '−' : '+'}${size.toFixed(digits)} %`;
}
