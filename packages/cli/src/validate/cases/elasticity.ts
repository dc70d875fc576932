/** Elements of solids, shells and rods against closed forms, at rest. What each costs and how it converges is in elastic-table.ts. */
import type { SolidElement } from '@nexdyn/engine';
import { tightenKnot } from '../elastic/knot.ts';
import {
  findRingThreshold,
  findWritheThreshold,
  measureBuckling,
  measureCatenary,
  measureElastica,
} from '../elastic/rod-measures.ts';
import { measureArc, measureDrape, measurePlate, measureRoof, measureTwist } from '../elastic/shell-measures.ts';
import { measureCantilever, measureMembrane, measurePatch, measureSphere } from '../elastic/solid-measures.ts';
import type { ComparedFormulation, Outcome, ValidationCase } from '../validation-case.ts';

const NAMES: Readonly<Record<SolidElement, string>> = { tet4: 'tet4', smoothedTet4: 'smoothed', tet10: 'tet10' };
const COWPER = 'Timoshenko beam theory with the shear coefficient of Cowper (1966)';
const LAME = 'Lamé; Timoshenko and Goodier, Theory of Elasticity, 142';

interface Claim {
  name: string;
  title: string;
  source: string;
  basis: string;
  /** Result over closed form, and how far from one it may be. */
  tolerance: number;
  measure(formulation: ComparedFormulation, mesh: number): number;
  /** Cells of a mesh and of one half as fine, where the error falls with the square of its cells: it is then estimated from both. */
  cells?: number;
  formulations?: readonly ComparedFormulation[];
  isQuick?: boolean;
}

function makeCase({
  name,
  title,
  source,
  basis,
  tolerance,
  measure,
  cells,
  formulations = ['sap'],
  isQuick,
}: Claim): ValidationCase {
  const run = (formulation: ComparedFormulation): Outcome => {
    const value = measure(formulation, cells ?? 0);
    if (cells === undefined) return { value, expected: 1, tolerance };
    return {
      value,
      expected: 1,
      tolerance: Math.min(tolerance, estimateError(value, measure(formulation, cells / 2))),
    };
  };
  const estimate = `${basis}; ${SAFETY}/3 of what it differs from the mesh half as fine (Roache 1994), at most ${100 * tolerance} %`;
  const told = cells === undefined ? basis : estimate;
  return {
    name,
    group: 'elasticity',
    title,
    unit: '1',
    source,
    basis: told,
    formulations,
    run,
    ...(isQuick && { isQuick }),
  };
}

/** Factor of safety of the grid convergence index (Roache, J. Fluids Engineering 116, 1994). */
const SAFETY = 1.25;

/** Error of a result of order two, from one with cells twice as large. */
function estimateError(fine: number, coarse: number): number {
  return (SAFETY * Math.abs(fine - coarse)) / (2 ** 2 - 1);
}

const patches = (['tet4', 'smoothedTet4', 'tet10'] as const).map(
  (element): ValidationCase => ({
    name: `patch-${NAMES[element]}`,
    group: 'elasticity',
    title: `patch test of ${element}: deviation from a linear map inside an irregular block whose border is moved by it`,
    unit: '1',
    source: 'Irons and Razzaque (1972): a constant strain is a solution',
    basis: 'round-off and the tolerance of the solver: 1e-10',
    formulations: ['sap'],
    isQuick: true,
    run: () => ({ value: measurePatch(element), expected: 0, tolerance: 1e-10 }),
  }),
);

const beam = (element: SolidElement, nu: number, tolerance: number, basis: string): ValidationCase =>
  makeCase({
    name: `beam-${NAMES[element]}-${nu}`,
    title: `sag of a clamped beam of 400 ${element} under its weight, ν = ${nu}, over ρ g A L⁴/8 E I + ρ g L²/2 κ G`,
    source: COWPER,
    basis,
    tolerance,
    measure: () => measureCantilever(element, 2, nu),
    isQuick: element === 'tet10' && nu === 0.3,
  });

const sphere = (element: SolidElement, level: number, nu: number, tolerance: number, basis: string): ValidationCase =>
  makeCase({
    name: `sphere-${NAMES[element]}-${nu}`,
    title: `growth of a thick sphere of ${element} under a pressure inside, ν = ${nu}, over p a/E · ((1 − 2ν) a³ + (1 + ν) b³/2)/(b³ − a³)`,
    source: LAME,
    basis,
    tolerance,
    measure: () => measureSphere(element, level, nu),
  });

const membrane = (element: SolidElement, tolerance: number, basis: string): ValidationCase =>
  makeCase({
    name: `cook-${NAMES[element]}`,
    title: `rise of Cook's membrane with 8 × 8 cells of ${element}, over 23.96`,
    source: 'Cook, Malkus, Plesha, Witt, Concepts and applications of finite element analysis (2002)',
    basis,
    tolerance,
    measure: () => measureMembrane(element, 8) / 23.96,
  });

export const ELASTICITY: readonly ValidationCase[] = [
  ...patches,
  beam('tet10', 0.3, 0.01, 'the clamped end cannot contract, which beams ignore: 1 %'),
  beam('tet10', 0.49, 0.03, 'the same, stronger as ν nears 1/2: 3 %'),
  beam('tet10', 0.499, 0.03, 'the same: 3 %; an element that locks is tens of percent off'),
  beam('smoothedTet4', 0.3, 0.05, 'two elements of linear displacement over the height: 5 %'),
  membrane('tet10', 0.01, 'quadratic elements: 1 %'),
  membrane('smoothedTet4', 0.05, 'linear displacement: 5 %'),
  sphere('tet10', 1, 0.3, 0.02, '480 elements with flat faces on a sphere: 2 %'),
  sphere('tet10', 1, 0.499, 0.02, 'the same: nothing changes as ν nears 1/2'),
  sphere('smoothedTet4', 2, 0.3, 0.01, '3840 elements with flat faces: 1 %'),
  sphere('smoothedTet4', 2, 0.49, 0.01, 'the same: 1 %'),
  sphere('smoothedTet4', 2, 0.499, 0.01, 'the same: nothing changes as ν nears 1/2; tet4 is 58 % too stiff'),
  makeCase({
    name: 'plate-hinged',
    title: 'sag of a square plate on hinges, 16 × 16 cells, over 0.004062 q a⁴/D, D = E t³/12(1 − ν²)',
    source: 'Timoshenko and Woinowsky-Krieger, Theory of plates and shells, table 8',
    basis: 'order two',
    tolerance: 0.01,
    cells: 16,
    measure: (_, mesh) => measurePlate(mesh),
    isQuick: true,
  }),
  ...(['alternating', 'irregular'] as const).map((cut) =>
    makeCase({
      name: `plate-hinged-${cut}`,
      title: `the same plate with ${cut === 'alternating' ? 'diagonals that alternate' : 'irregular triangles'}`,
      source: 'Timoshenko and Woinowsky-Krieger, Theory of plates and shells, table 8',
      basis: 'constant curvatures are exact on any mesh: order two',
      tolerance: 0.01,
      cells: 16,
      measure: (_, mesh) => measurePlate(mesh, cut),
    }),
  ),
  makeCase({
    name: 'cylinder-bending',
    title:
      'deflection of a quarter of a cylinder, clamped at one edge and pushed along its radius at the other, over π P R³/4 E I',
    source: 'Castigliano; the arc that bends begins in the middle of the clamped cells',
    basis: 'flat strips in place of the arc: order two',
    tolerance: 2e-3,
    cells: 20,
    measure: (_, mesh) => measureArc(mesh),
    isQuick: true,
  }),
  makeCase({
    name: 'scordelis-lo',
    title: 'how far the free edge of the roof of Scordelis and Lo sinks, 24 × 24 cells, over 0.3024',
    source: 'MacNeal and Harder (1985)',
    basis:
      'triangles of constant strain in the plane of the shell are of order one at least: half of the 20 % of 12 cells',
    tolerance: 0.1,
    measure: () => measureRoof(24),
  }),
  makeCase({
    name: 'strip-twist',
    title:
      'energy of a strip whose ends are turned against each other, over ½ G J φ²/L (1 + 3 E b⁴ φ²/(320 G t² L²)), J = b t³/3',
    source: "Saint-Venant's torsion of a thin strip, and Wagner's stretch of its borders",
    basis: 'order two',
    tolerance: 5e-3,
    cells: 8,
    measure: (_, mesh) => measureTwist(mesh),
    isQuick: true,
  }),
  makeCase({
    name: 'strip-twist-alternating',
    title: 'the same strip with diagonals that alternate',
    source: "Saint-Venant's torsion of a thin strip, and Wagner's stretch of its borders",
    basis: 'order two',
    tolerance: 5e-3,
    cells: 8,
    measure: (_, mesh) => measureTwist(mesh, 'alternating'),
  }),
  makeCase({
    name: 'drape',
    title: 'sag of the middle of a cloth that is held at two corners, 16 × 16 cells, over that with 32 × 32',
    source: 'a finer mesh',
    basis: 'order one in folds: 1 %',
    tolerance: 0.01,
    measure: () => measureDrape(16),
  }),
  ...(
    [
      [2, 0.49346],
      [10, 0.81061],
    ] as const
  ).map(([alpha, expected]) =>
    makeCase({
      name: `elastica-${alpha}`,
      title: `large deflection of a clamped rod of 32 edges under a force P across its end, P L²/E I = ${alpha}, over ${expected} L`,
      source: 'Mattiasson (1981), by elliptic integrals',
      basis: 'order two',
      tolerance: 2e-3,
      cells: 32,
      formulations: ['sap', 'ipc'],
      measure: (formulation, mesh) => measureElastica(formulation, mesh, alpha) / expected,
    }),
  ),
  makeCase({
    name: 'euler-column',
    title: 'load at which a clamped column of 24 edges buckles, over π² E I/4 L²',
    source:
      'Timoshenko and Gere, Theory of elastic stability, 1.3: deflections grow by 3 (tan u − u)/u³, u = L √(P/E I)',
    basis: 'order two',
    tolerance: 1e-3,
    cells: 24,
    measure: (_, mesh) => measureBuckling(mesh),
    isQuick: true,
  }),
  makeCase({
    name: 'rod-writhe',
    title: 'moment at which a twisted rod with clamped ends leaves its line, over 8.987 E I/L',
    source: 'Greenhill; Zajac (1962); Timoshenko and Gere, 2.24',
    basis: 'found between steps of 1 %; clamped edges of 1/30 L each: 3 %',
    tolerance: 0.03,
    measure: () => findWritheThreshold(30),
  }),
  makeCase({
    name: 'ring-twist',
    title: 'angle of twist at which a straight rod that is bent to a ring leaves its plane, over 2π √3 E I/G J',
    source:
      'Michell (1889); Zajac (1962); Goriely, Twisted elastic rings and the rediscoveries of Michell’s instability (2006)',
    basis: 'found between steps of 1 %; a polygon of 80 edges in place of the circle: order two, 2 %',
    tolerance: 0.02,
    measure: () => findRingThreshold(80),
  }),
  makeCase({
    name: 'rod-catenary',
    title: 'sag of a slack cable of 40 edges, over a (cosh(span/2a) − 1)',
    source: 'catenary of the same length',
    basis: 'a chain in place of the curve: order two',
    tolerance: 1e-3,
    cells: 40,
    formulations: ['sap', 'ipc'],
    measure: (formulation, mesh) => measureCatenary(formulation, mesh),
  }),
  makeCase({
    name: 'knot',
    title: 'least distance of the middle lines of an overhand knot that is pulled tight, over its thickness, at most 1',
    source: 'a rod does not pass through itself: distances of all pairs of edges, after every step',
    basis: 'exact',
    tolerance: 1e-12,
    formulations: ['ipc'],
    measure: () => Math.min(1, tightenKnot().gap),
  }),
];
