/**
 * Known answers for rods.
 *   elastica   clamped rod under a force across its end, P L²/E I = α: deflections of the end over L  (Mattiasson 1981)
 *   buckling   load at which a clamped column gives way, over π² E I/4 L²; from the growth of a deflection under a load of half of it,
 *              3 (tan u − u)/u³,  u = L √(P/E I)  (Timoshenko and Gere, Theory of elastic stability, 1.3)
 *   writhe     moment at which a twisted rod with clamped ends leaves its line: 8.987 E I/L  (Zajac 1962; Timoshenko and Gere, 2.24)
 *   ring       angle of twist at which a straight rod, bent to a ring, leaves its plane: 2π √3 E I/G J  (Michell 1889)
 *   catenary   length = 2 a sinh(span/2a), sag = a (cosh(span/2a) − 1)
 */
import type { Simulation, SoftBody } from '@nexdyn/engine';
import { advance, simulate } from '../case-scene.ts';
import type { ComparedFormulation } from '../validation-case.ts';

const OPTIONS = { sap: { relativeTolerance: 1e-9, absoluteTolerance: 1e-18 }, ipc: { tolerance: 1e-6 } } as const;

function open(
  formulation: ComparedFormulation,
  rod: Partial<SoftBody> & { elasticity: SoftBody['elasticity'] },
  options: object,
  line: { points: number[]; radius: number },
): Simulation {
  return simulate(formulation, {
    options: { ...OPTIONS, ...options },
    softBodies: [{ name: 'rod', contact: 'none', mesh: { kind: 'polyline', ...line }, ...rod }],
  });
}

/** Points of a straight rod along x. */
function straight(length: number, cells: number): number[] {
  return Array.from({ length: 3 * (cells + 1) }, (_, i) => (i % 3 === 0 ? (length * i) / 3 / cells : 0));
}

/** Deflection of the end across the rod over its length. */
export function measureElastica(formulation: ComparedFormulation, cells: number, alpha: number): number {
  const [length, r, young] = [1, 0.01, 1e9];
  const rod = { elasticity: { youngsModulus: young, poissonRatio: 0.3, massDamping: 20 }, pinned: [0, 1] };
  const line = { points: straight(length, cells), radius: r };
  const simulation = open(formulation, rod, { timestep: 0.02, gravity: [0, 0, 0] }, line);
  // clamped from the middle of the first edge on
  const free = length * (1 - 0.5 / cells);
  const force = (alpha * young * Math.PI * r ** 4) / 4 / free ** 2;
  simulation.applySoftForce('rod', cells, [0, 0, force]);
  advance(simulation, 6);
  return simulation.softPosition('rod')[3 * cells + 2]! / free;
}

/** Critical load of a column over Euler's. */
export function measureBuckling(cells: number): number {
  const [length, r, young] = [1, 0.01, 1e9];
  const free = length * (1 - 0.5 / cells);
  const critical = (Math.PI ** 2 * young * Math.PI * r ** 4) / 4 / (4 * free ** 2);
  const push = (share: number): number => {
    const rod = { elasticity: { youngsModulus: young, poissonRatio: 0.3, stretchStiffness: 1e9 }, pinned: [0, 1] };
    const line = { points: straight(length, cells), radius: r };
    const simulation = open('sap', rod, { timestep: 1e2, gravity: [0, 0, 0] }, line);
    simulation.applySoftForce('rod', cells, [-share * critical, 0, 1e-6 * critical]);
    simulation.step(3);
    return simulation.softPosition('rod')[3 * cells + 2]!;
  };
  const growth = push(0.5) / push(0);
  let [low, high] = [1e-3, Math.PI / 2 - 1e-9];
  for (let k = 0; k < 60; k++) {
    const u = 0.5 * (low + high);
    if ((3 * (Math.tan(u) - u)) / u ** 3 < growth) low = u;
    else high = u;
  }
  return (0.5 * (Math.PI / 2) ** 2) / low ** 2;
}

/** Moment at which a clamped rod leaves its line by a millimetre, over 8.987 E I/L, to a hundredth. */
export function findWritheThreshold(cells: number): number {
  let [low, high] = [0.9, 1.1];
  for (let k = 0; k < 5; k++) {
    const share = 0.5 * (low + high);
    if (measureWrithe(cells, share) < 1e-3) low = share;
    else high = share;
  }
  return 0.5 * (low + high);
}

/** Deflection of the middle of a clamped rod, twisted by a part of the threshold, m. */
function measureWrithe(cells: number, share: number): number {
  const [length, r, young, nu] = [1, 0.01, 1e7, 0.25];
  const rod = {
    elasticity: { youngsModulus: young, poissonRatio: nu, massDamping: 2 },
    pinned: [0, 1],
    driven: [
      {
        vertices: [cells - 1, cells],
        times: [0, 2],
        displacements: [0, 0, 0, 0, 0, 0],
        // E I/G J = 1 + ν
        twist: [0, share * 8.9868 * (1 + nu)],
      },
    ],
  };
  const line = { points: straight(length, cells), radius: r };
  const simulation = open('sap', rod, { timestep: 0.05, gravity: [0, 0, -1e-3] }, line);
  advance(simulation, 16);
  const [y, z] = simulation.softPosition('rod').subarray(3 * (cells / 2) + 1, 3 * (cells / 2) + 3);
  return Math.hypot(y!, z!);
}

/** Angle of twist at which a ring leaves its plane by a fiftieth of its radius (below, the held edge lifts it by a hundredth), over 2π √3 E I/G J, to a hundredth. */
export function findRingThreshold(cells: number): number {
  let [low, high] = [0.85, 1.15];
  for (let k = 0; k < 5; k++) {
    const share = 0.5 * (low + high);
    if (measureRing(cells, share) < 2e-2) low = share;
    else high = share;
  }
  return 0.5 * (low + high);
}

/**
 * How far a ring leaves its plane over its radius, twisted by a part of the threshold. The rod is straight at rest and one edge longer than
 * the ring: its first and its last edge are held in the same place, which takes from a ring no more than its rigid motions.
 */
function measureRing(cells: number, share: number): number {
  const [radius, r, young, nu] = [0.2, 0.01, 1e7, 0.25];
  const edge = 2 * radius * Math.sin(Math.PI / cells);
  const length = edge * cells;
  const rod = {
    elasticity: { youngsModulus: young, poissonRatio: nu, massDamping: 2 },
    pinned: [0, 1],
    driven: [
      {
        vertices: [cells, cells + 1],
        times: [0, 2],
        displacements: [-length, 0, 0, -length, 0, 0],
        // E I/G J = 1 + ν
        twist: [0, share * 2 * Math.PI * Math.sqrt(3) * (1 + nu)],
      },
    ],
  };
  const line = { points: straight(length + edge, cells + 1), radius: r };
  const simulation = open('sap', rod, { timestep: 0.05, gravity: [0, 0, -1e-5] }, line);
  const { softPosition, softDirector } = simulation.state;
  // a polygon in the plane of x and y; frames turn with their edges
  const [dx, dy, dz] = softDirector.slice(0, 3) as unknown as [number, number, number];
  let [x, y] = [0, 0];
  for (let k = 0; k <= cells + 1; k++) {
    softPosition.set([x, y, 0], 3 * k);
    const angle = (2 * Math.PI * k) / cells;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    x += edge * c;
    y += edge * s;
    if (k <= cells) softDirector.set([c * dx - s * dy, s * dx + c * dy, dz], 3 * k);
  }
  let most = 0;
  for (let second = 0; second < 24; second++) {
    advance(simulation, 1);
    const now = simulation.softPosition('rod');
    for (let k = 0; k <= cells; k++) most = Math.max(most, Math.abs(now[3 * k + 2]!));
  }
  return most / radius;
}

/** Sag of a slack cable over that of a catenary. */
export function measureCatenary(formulation: ComparedFormulation, cells: number): number {
  const [span, length] = [1, 1.4];
  const points = straight(span, cells);
  // a zigzag as long as the cable
  const rise = Math.sqrt((length / cells) ** 2 - (span / cells) ** 2);
  for (let p = 1; p < cells; p += 2) points[3 * p + 2] = -rise;
  const rod = {
    elasticity: { youngsModulus: 1e9, poissonRatio: 0.3, bendingStiffness: 0, twistStiffness: 0, massDamping: 4 },
    pinned: [0, cells],
  };
  const simulation = open(formulation, rod, { timestep: 0.02 }, { points, radius: 0.002 });
  advance(simulation, 6);
  let [low, high] = [0.05, 10];
  for (let k = 0; k < 80; k++) {
    const a = 0.5 * (low + high);
    if (2 * a * Math.sinh(span / (2 * a)) > length) low = a;
    else high = a;
  }
  const sag = low * (Math.cosh(span / (2 * low)) - 1);
  return -simulation.softPosition('rod')[3 * (cells / 2) + 2]! / sag;
}
