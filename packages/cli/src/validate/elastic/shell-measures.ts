/**
 * Known answers for shells, each as a part of its closed form.
 *   plate     square plate on hinges along its border under its weight: 0.004062 q a⁴/D in the middle  (Timoshenko, Theory of plates and shells, table 8)
 *   arc       quarter of a cylinder, clamped along one edge, pushed along its radius at the other: π P R³/(4 E I)  (Castigliano)
 *   roof      Scordelis-Lo: R = 25, L = 50, t = 0.25, 80°, E = 4.32e8, ν = 0, 90 per area, ends on diaphragms: the free edge sinks by 0.3024
 *             (MacNeal and Harder 1985)
 *   twist     strip whose ends are held and turned against each other by φ: energy ½ G J φ²/L, J = b t³/3  (Saint-Venant), and ½ E t L ∫ ε² dy of the
 *             fibers that become longer, ε = ½ (y φ/L)²: a part of 3 E b⁴ φ²/(320 G t² L²) more  (Wagner)
 *   drape     cloth held at two corners: how far its middle hangs down, over the same with 32 × 32 cells
 */
import type { Simulation, SoftBody } from '@nexdyn/engine';
import { advance, simulate } from '../case-scene.ts';

const SETTLED = { sap: { relativeTolerance: 1e-10, absoluteTolerance: 1e-18 } } as const;

function open(soft: SoftBody, options: object, terms?: object[]): Simulation {
  return simulate('sap', {
    options: { ...SETTLED, ...options },
    softBodies: [{ name: 'shell', contact: 'none', ...soft }],
    ...(terms && { terms: terms as never }),
  });
}

/** How the cells of a grid are cut: diagonals all alike or alternating; `irregular`: with vertices inside moved by up to a quarter of a cell. */
export type Cut = 'regular' | 'alternating' | 'irregular';

/** Grid of n × m cells with vertices where `place` puts them, numbered along the first direction. */
function meshGrid(
  n: number,
  m: number,
  thickness: number,
  place: (u: number, v: number) => number[],
  cut: Cut = 'regular',
): SoftBody['mesh'] {
  const vertices: number[] = [];
  const triangles: number[] = [];
  let seed = 1;
  const move = (isInside: boolean): number => {
    if (cut !== 'irregular' || !isInside) return 0;
    seed = (seed * 48271) % 2147483647;
    return 0.5 * (seed / 2147483647) - 0.25;
  };
  for (let j = 0; j <= m; j++)
    for (let i = 0; i <= n; i++) {
      const isInside = i > 0 && j > 0 && i < n && j < m;
      vertices.push(...place((i + move(isInside)) / n, (j + move(isInside)) / m));
    }
  for (let j = 0; j < m; j++)
    for (let i = 0; i < n; i++) {
      const [a, b, c, d] = [0, 1, n + 2, n + 1].map((k) => i + j * (n + 1) + k) as [number, number, number, number];
      if (cut === 'regular' || (i + j) % 2 === 0) triangles.push(a, b, c, a, c, d);
      else triangles.push(a, b, d, b, c, d);
    }
  return { kind: 'triangles', vertices, triangles, thickness };
}

export function measurePlate(n: number, cut?: Cut): number {
  const [side, t, young, nu, density, g] = [1, 0.01, 1e9, 0.3, 1000, 1e-3];
  const mesh = meshGrid(n, n, t, (u, v) => [side * u, side * v, 0], cut);
  const pinned = [...Array((n + 1) ** 2).keys()].filter((k) => {
    const [i, j] = [k % (n + 1), Math.floor(k / (n + 1))];
    return i === 0 || j === 0 || i === n || j === n;
  });
  const elasticity = { youngsModulus: young, poissonRatio: nu, density };
  const simulation = open({ mesh, elasticity, pinned }, { timestep: 1e3, gravity: [0, 0, -g] });
  simulation.step(3);
  const middle = (n / 2) * (n + 2);
  const stiffness = (young * t ** 3) / (12 * (1 - nu * nu));
  const expected = (0.004062 * density * t * g * side ** 4) / stiffness;
  return -simulation.softPosition('shell')[3 * middle + 2]! / expected;
}

export function measureArc(n: number): number {
  const [radius, width, t, young, force] = [1, 0.25, 0.01, 1e9, 1e-4];
  const m = 4;
  const angle = (u: number): number => (Math.PI / 2) * u;
  const mesh = meshGrid(n, m, t, (u, v) => [radius * Math.cos(angle(u)), width * v, radius * Math.sin(angle(u))]);
  const rows = [...Array(m + 1).keys()];
  const pinned = rows.flatMap((j) => [j * (n + 1), j * (n + 1) + 1]);
  const elasticity = { youngsModulus: young, poissonRatio: 0, density: 1 };
  const simulation = open({ mesh, elasticity, pinned }, { timestep: 1e3, gravity: [0, 0, 0] });
  const tips = rows.map((j) => j * (n + 1) + n);
  for (const [j, v] of tips.entries())
    simulation.state.softForce[3 * v + 2] = (force / m) * (j === 0 || j === m ? 0.5 : 1);
  simulation.step(3);
  const now = simulation.softPosition('shell');
  const rise = tips.reduce((sum, v) => sum + now[3 * v + 2]! - radius, 0) / tips.length;
  // the hinge on the second row bends over half a cell on either side: clamped from the middle of the first cell on
  const start = angle(0.5 / n);
  const bent = Math.PI / 4 - start / 2 - Math.sin(2 * start) / 4;
  return rise / ((force * radius ** 3 * bent) / ((young * width * t ** 3) / 12));
}

export function measureRoof(n: number): number {
  const [radius, length, t, young, load] = [25, 50, 0.25, 4.32e8, 90];
  const half = (40 * Math.PI) / 180;
  const angle = (u: number): number => half * (2 * u - 1);
  const mesh = meshGrid(n, n, t, (u, v) => [radius * Math.sin(angle(u)), length * v, radius * Math.cos(angle(u))]);
  const { vertices } = mesh as { vertices: number[] };
  // diaphragms: long springs hold the ends across, and let them move along
  const points: object[] = [];
  const springs: object[] = [];
  for (const j of [0, n])
    for (let i = 0; i <= n; i++) {
      const v = i + j * (n + 1);
      const [x, y, z] = vertices.slice(3 * v, 3 * v + 3) as [number, number, number];
      const first = points.length;
      points.push(
        { softBody: 'shell', vertex: v },
        { body: 'world', at: [x - 1e4, y, z] },
        { body: 'world', at: [x, y, z - 1e4] },
      );
      for (const k of [1, 2]) springs.push({ between: [first, first + k], stiffness: 1e10, restLength: 1e4 });
    }
  const elasticity = { youngsModulus: young, poissonRatio: 0, density: 1 };
  const options = { timestep: 1e2, gravity: [0, 0, (-load / t) * 1e-3] };
  const simulation = open({ mesh, elasticity }, options, [{ kind: 'springNetwork', name: 'ends', points, springs }]);
  simulation.step(4);
  const free = (n / 2) * (n + 1);
  // a thousandth of the load, so that the roof hardly changes its shape
  return (1e3 * (vertices[3 * free + 2]! - simulation.softPosition('shell')[3 * free + 2]!)) / 0.3024;
}

export function measureTwist(n: number, cut?: Cut): number {
  const [length, width, t, young, nu, turn] = [1, 0.1, 1e-3, 1e9, 0.3, 0.02];
  const cells = 10 * n;
  const mesh = meshGrid(cells, n, t, (u, v) => [length * u, width * (v - 0.5), 0], cut);
  const elasticity = { youngsModulus: young, poissonRatio: nu, density: 1 };
  const simulation = open({ mesh, elasticity }, { timestep: 1e2, gravity: [0, 0, 0] });
  const { softPosition } = simulation.state;
  const ends: number[] = [];
  for (let j = 0; j <= n; j++)
    for (let i = 0; i <= cells; i++) {
      const v = i + j * (cells + 1);
      const y = softPosition[3 * v + 1]!;
      const angle = turn * (softPosition[3 * v]! / length - 0.5);
      softPosition[3 * v + 1] = y * Math.cos(angle);
      softPosition[3 * v + 2] = y * Math.sin(angle);
      if (i === 0 || i === cells) ends.push(v);
    }
  simulation.holdVertices('shell', ends);
  simulation.step(3);
  const stiffness = ((young / (2 * (1 + nu))) * width * t ** 3) / 3;
  const longer = (6 * (1 + nu) * width ** 4 * turn ** 2) / (320 * t ** 2 * length ** 2);
  return simulation.energy().potential / ((stiffness * turn ** 2 * (1 + longer)) / (2 * length));
}

/** Height of the middle below the held corners, m, with 32 × 32 cells. */
const FINE_DRAPE = 0.536442;

export function measureDrape(n: number): number {
  const mesh = { kind: 'grid', size: [1, 1], cells: [n, n], thickness: 1e-3 } as const;
  const simulation = open(
    {
      mesh: { ...mesh, size: [1, 1], cells: [n, n] },
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, density: 200, massDamping: 6, bendingStiffness: 1e-4 },
      pinned: [n * (n + 1), (n + 1) ** 2 - 1],
    },
    { timestep: 0.02, sap: { relativeTolerance: 1e-6 } },
  );
  advance(simulation, 4);
  return -simulation.softPosition('shell')[3 * (n / 2) * (n + 2) + 2]! / FINE_DRAPE;
}
