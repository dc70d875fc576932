/**
 * Known answers for elements of solids.
 *   patch       vertices of the border moved by a linear map; those inside follow it: largest deviation, relative
 *   cantilever  sag of a beam 1 × 0.1 × 0.1 m under its weight:  ρ g A L⁴/8 E I + ρ g L²/2 κ G,  κ = 10 (1 + ν)/(12 + 11 ν)  (Timoshenko; Cowper 1966)
 *   membrane    Cook's panel, 48 long, 44 and 16 high, clamped at the left, sheared by 1 at the right, E = 1, ν = 1/3: 23.96 in plane stress
 *               (Cook, Malkus, Plesha, Witt, Concepts and applications of finite element analysis, 2002)
 *   sphere      thick sphere of radii a and b under a pressure p inside:  u(a) = p a/E · ((1 − 2ν) a³ + (1 + ν) b³/2)/(b³ − a³)  (Lamé; Timoshenko
 *               and Goodier, Theory of Elasticity, 142)
 */
import type { SolidElement } from '@nexdyn/engine';
import { icosphere } from './icosphere.ts';
import { listVertices, meshBlock, openSolid, type SolidMesh } from './solid-scene.ts';

/** Deviation from a linear map of vertices inside a block whose inner vertices do not lie on a grid. */
export function measurePatch(element: SolidElement): number {
  const shift = (u: number, v: number, w: number): number => {
    const inside = u * (1 - u) * v * (1 - v) * w * (1 - w);
    return 4 * inside * Math.sin(1 + 7 * u + 5 * v + 3 * w);
  };
  const mesh = meshBlock([3, 3, 3], (u, v, w) => [u + shift(u, v, w), v - shift(v, w, u), w + shift(w, u, v)]);
  const map = [0.01, 0.004, -0.003, 0.002, -0.008, 0.005, 0.006, -0.001, 0.007];
  const move = (x: readonly number[]): number[] =>
    [0, 1, 2].map((r) => map[3 * r]! * x[0]! + map[3 * r + 1]! * x[1]! + map[3 * r + 2]! * x[2]!);
  const onBorder = (x: readonly number[]): boolean => x.some((value) => value < 1e-9 || value > 1 - 1e-9);
  const elasticity = { model: 'linear', youngsModulus: 1e6, poissonRatio: 0.3, density: 1 } as const;
  const simulation = openSolid({ mesh: { kind: 'tetrahedra', ...mesh }, element, elasticity }, 1e3);
  const { rest } = simulation.model.soft;
  const border = [...Array(mesh.vertices.length / 3).keys()].filter((v) =>
    onBorder(mesh.vertices.slice(3 * v, 3 * v + 3)),
  );
  const { softPosition, softHeld } = simulation.state;
  for (let v = 0; v < rest.length / 3; v++) {
    const moved = move([...rest.subarray(3 * v, 3 * v + 3)]);
    for (let c = 0; c < 3; c++) softPosition[3 * v + c]! += moved[c]!;
  }
  simulation.holdVertices('solid', border);
  // those inside start where they do not belong
  for (let v = 0; v < rest.length / 3; v++) if (softHeld[v] === 0) softPosition[3 * v]! += 0.02 * Math.sin(v);
  simulation.step(2);
  const now = simulation.softPosition('solid');
  let most = 0;
  for (let v = 0; v < rest.length / 3; v++) {
    const place = [...rest.subarray(3 * v, 3 * v + 3)];
    const expected = move(place);
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(now[3 * v + c]! - place[c]! - expected[c]!));
  }
  return most / 0.01;
}

/** Sag over that of beam theory, with n cells of five tetrahedra across. */
export function measureCantilever(element: SolidElement, n: number, nu: number): number {
  const [length, side, young, density, g] = [1, 0.1, 1e8, 1000, 9.81];
  const cells: [number, number, number] = [10 * n, n, n];
  const pinned = Array.from({ length: (n + 1) ** 2 }, (_, k) => (10 * n + 1) * k);
  const mesh = { kind: 'box', halfSize: [length / 2, side / 2, side / 2], cells } as const;
  const elasticity = { model: 'linear', youngsModulus: young, poissonRatio: nu, density } as const;
  const simulation = openSolid(
    { mesh: { ...mesh, halfSize: [0.5, 0.05, 0.05] }, element, elasticity, pinned, gravity: g },
    1e3,
  );
  simulation.step(2);
  const end = listVertices(simulation, (x) => x > length / 2 - 1e-9);
  const sag = meanRise(simulation.softPosition('solid'), simulation.model.soft.rest, end, 2);
  const kappa = (10 * (1 + nu)) / (12 + 11 * nu);
  const bending = (12 * density * g * length ** 4) / (8 * young * side ** 2);
  return -sag / (bending + (density * g * length ** 2 * (1 + nu)) / (kappa * young));
}

/** Rise of the middle of the right edge of Cook's panel, with n × n cells of six tetrahedra. */
export function measureMembrane(element: SolidElement, n: number): number {
  const mesh = meshBlock([n, n, 1], (u, v, w) => [48 * u, 44 * u + v * (44 - 28 * u), w]);
  const pinned = Array.from({ length: 2 * (n + 1) }, (_, k) => (n + 1) * k);
  const elasticity = { model: 'linear', youngsModulus: 1, poissonRatio: 1 / 3, density: 1e-3 } as const;
  const simulation = openSolid({ mesh: { kind: 'tetrahedra', ...mesh }, element, elasticity, pinned }, 1e6);
  const { rest } = simulation.model.soft;
  const edge = listVertices(simulation, (x) => x > 48 - 1e-9);
  const level = (v: number): number => Math.round(1e6 * rest[3 * v + 1]!);
  const levels = [...new Set(edge.map(level))].sort((a, b) => a - b);
  // every vertex takes the height that it stands for
  for (const v of edge) {
    const isEnd = level(v) === levels[0] || level(v) === levels.at(-1);
    const across = edge.filter((w) => level(w) === level(v)).length;
    simulation.state.softForce[3 * v + 1] = (isEnd ? 0.5 : 1) / (levels.length - 1) / across;
  }
  simulation.step(2);
  const middle = edge.filter((v) => Math.abs(rest[3 * v + 1]! - 52) < 1e-6);
  return meanRise(simulation.softPosition('solid'), rest, middle, 1);
}

/** Radial displacement at the inside of a thick sphere over Lamé's, with icospheres divided `level` times and 2^level layers. */
export function measureSphere(element: SolidElement, level: number, nu: number): number {
  const [a, b, young, pressure] = [0.5, 1, 1e6, 1e3];
  const layers = 2 ** level;
  const ball = icosphere(level);
  // flat faces enclose less than a sphere: the radii are those that enclose as much
  const swell = Math.cbrt((4 * Math.PI) / 3 / enclosedVolume(ball));
  const count = ball.vertices.length / 3;
  const mesh: SolidMesh = { vertices: [], tetrahedra: [] };
  for (let k = 0; k <= layers; k++) {
    const radius = swell * (a + ((b - a) * k) / layers);
    for (const value of ball.vertices) mesh.vertices.push(radius * value);
  }
  for (let k = 0; k < layers; k++)
    for (let f = 0; f < ball.triangles.length; f += 3) {
      // a prism in three tetrahedra; the order of its corners makes neighbours meet at the same diagonals
      const [p, q, r] = ball.triangles.slice(f, f + 3).sort((i, j) => i - j) as [number, number, number];
      const [low, high] = [count * k, count * (k + 1)];
      for (const four of [
        [low + p, low + q, low + r, high + r],
        [low + p, low + q, high + q, high + r],
        [low + p, high + p, high + q, high + r],
      ])
        mesh.tetrahedra.push(...orient(mesh.vertices, four));
    }
  const elasticity = { model: 'linear', youngsModulus: young, poissonRatio: nu, density: 1 } as const;
  const simulation = openSolid({ mesh: { kind: 'tetrahedra', ...mesh }, element, elasticity }, 10);
  const { rest } = simulation.model.soft;
  // a uniform pressure loads the corners of a linear face, and of a 10-node face the middles of its edges alone
  for (let f = 0; f < ball.triangles.length; f += 3) {
    const corners = ball.triangles.slice(f, f + 3);
    const [p, q, r] = corners.map((v) => [...rest.subarray(3 * v, 3 * v + 3)]) as [number[], number[], number[]];
    const u = q.map((value, c) => value - p[c]!);
    const w = r.map((value, c) => value - p[c]!);
    const normal = [u[1]! * w[2]! - u[2]! * w[1]!, u[2]! * w[0]! - u[0]! * w[2]!, u[0]! * w[1]! - u[1]! * w[0]!];
    const outward = Math.sign(normal.reduce((sum, value, c) => sum + value * p[c]!, 0));
    const targets = element === 'tet10' ? listMiddles(corners, rest) : corners;
    for (const v of targets)
      for (let c = 0; c < 3; c++) simulation.state.softForce[3 * v + c]! += (outward * pressure * normal[c]!) / 6;
  }
  simulation.step(2);
  const now = simulation.softPosition('solid');
  // the work of the pressure is p times the growth of the cavity, 4π a² u
  let work = 0;
  for (let i = 0; i < rest.length; i++) work += simulation.state.softForce[i]! * (now[i]! - rest[i]!);
  const mean = work / pressure / (4 * Math.PI * a * a);
  const expected = ((pressure * a) / young) * (((1 - 2 * nu) * a ** 3 + ((1 + nu) * b ** 3) / 2) / (b ** 3 - a ** 3));
  return mean / expected;
}

function enclosedVolume({ vertices, triangles }: ReturnType<typeof icosphere>): number {
  let volume = 0;
  for (let f = 0; f < triangles.length; f += 3) {
    const [p, q, r] = triangles.slice(f, f + 3).map((v) => vertices.slice(3 * v, 3 * v + 3)) as [
      number[],
      number[],
      number[],
    ];
    volume +=
      Math.abs(
        (p[1]! * q[2]! - p[2]! * q[1]!) * r[0]! +
          (p[2]! * q[0]! - p[0]! * q[2]!) * r[1]! +
          (p[0]! * q[1]! - p[1]! * q[0]!) * r[2]!,
      ) / 6;
  }
  return volume;
}

function listMiddles(corners: readonly number[], rest: Float64Array): number[] {
  return [0, 1, 2].map((k) => {
    const [p, q] = [corners[k]!, corners[(k + 1) % 3]!];
    const middle = [0, 1, 2].map((c) => 0.5 * (rest[3 * p + c]! + rest[3 * q + c]!));
    for (let v = rest.length / 3 - 1; v >= 0; v--)
      if (middle.every((value, c) => Math.abs(value - rest[3 * v + c]!) < 1e-12)) return v;
    throw new Error('an edge has no vertex in its middle');
  });
}

function orient(vertices: readonly number[], four: readonly number[]): number[] {
  const [p, q, r, s] = four.map((v) => vertices.slice(3 * v, 3 * v + 3)) as [number[], number[], number[], number[]];
  const [u, v, w] = [q, r, s].map((x) => x.map((value, c) => value - p[c]!)) as [number[], number[], number[]];
  const volume =
    (u[1]! * v[2]! - u[2]! * v[1]!) * w[0]! +
    (u[2]! * v[0]! - u[0]! * v[2]!) * w[1]! +
    (u[0]! * v[1]! - u[1]! * v[0]!) * w[2]!;
  return volume > 0 ? [...four] : [four[0]!, four[2]!, four[1]!, four[3]!];
}

function meanRise(now: Float64Array, rest: Float64Array, vertices: readonly number[], axis: number): number {
  return vertices.reduce((sum, v) => sum + now[3 * v + axis]! - rest[3 * v + axis]!, 0) / vertices.length;
}
