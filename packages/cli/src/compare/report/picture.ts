/**
 * A state as a picture: shapes seen from the side and above without perspective, each face in one shade by how much light falls
 * on it, over a grid on the floor. One camera for all pictures of a comparison, so that they can be laid over each other.
 */
import type { Simulation } from '@nexdyn/engine';
import { encodePng } from './png.ts';
import { findFloor, listPolygons, type Point, type Polygon } from './polygons.ts';
import { Raster } from './raster.ts';
import { escapeText, formatPixel } from './svg-text.ts';

const WIDTH = 360;
const HEIGHT = 270;
const EDGE = 14;
/** Pixels of the picture per unit of the drawing. */
const DENSITY = 2;
/** To the right, up, and towards the viewer. */
const VIEW = createView((-35 * Math.PI) / 180, (22 * Math.PI) / 180);
const LIGHT = normalize([-0.35, -0.6, 0.75]);
/** Share of light that comes from everywhere. */
const AMBIENT = 0.42;
/** Lines of the ground across the picture. */
const GROUND_LINES = 8;

/** What is drawn, and from where. */
export interface Camera {
  /** Middle of what is seen in the plane of the picture, m, and pixels per metre. */
  x: number;
  y: number;
  scale: number;
}

/** A camera that sees all of some states; large things at the edge, as floors and terrains, may be cut. */
export function placeCamera(simulations: readonly Simulation[]): Camera {
  const all = simulations.flatMap((simulation) => listPolygons(simulation));
  const moving = all.filter(({ points }) => points.length > 0);
  const spots = moving.flatMap(({ points }) => points.map(project));
  if (spots.length === 0) return { x: 0, y: 0, scale: 100 };
  // a few far points do not decide: they may have flown off
  const [left, right] = findSpan(spots.map(([x]) => x));
  const [low, high] = findSpan(spots.map(([, y]) => y));
  const scale = Math.min(
    (WIDTH - 2 * EDGE) / Math.max(right - left, 1e-3),
    (HEIGHT - 2 * EDGE) / Math.max(high - low, 1e-3),
  );
  return { x: (left + right) / 2, y: (low + high) / 2, scale };
}

/** The state of a simulation as inline SVG, with nothing from outside. */
export function drawPicture(simulation: Simulation, camera: Camera, title: string): string {
  const place = ([x, y, z]: Point): Point => [
    WIDTH / 2 + (x - camera.x) * camera.scale,
    HEIGHT / 2 - (y - camera.y) * camera.scale,
    z,
  ];
  const raster = new Raster(WIDTH * DENSITY, HEIGHT * DENSITY);
  for (const polygon of listPolygons(simulation)) {
    const spots = polygon.points.map((point) => {
      const [x, y, z] = place(project(point));
      return [DENSITY * x, DENSITY * y, z] as Point;
    });
    // from above in the picture, faces towards the viewer turn the other way
    if (!polygon.isOpen && !isFacing(spots)) continue;
    const color = shade(polygon);
    for (let k = 1; k + 1 < spots.length; k++) raster.fill(spots[0]!, spots[k]!, spots[k + 1]!, color);
  }
  const png = Buffer.from(encodePng(raster.readPixels(), raster.width, raster.height)).toString('base64');
  const image = `<image href="data:image/png;base64,${png}" width="${WIDTH}" height="${HEIGHT}"/>`;
  const toPixel = (point: Point): string => {
    const [x, y] = place(project(point));
    return `${formatPixel(x)},${formatPixel(y)}`;
  };
  const ground = drawGround(simulation, camera, toPixel);
  return `<svg class="picture" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}">${ground}${image}</svg>`;
}

// a grid on the floor, centred below the middle of the picture
function drawGround(simulation: Simulation, camera: Camera, toPixel: (point: Point) => string): string {
  const floor = findFloor(simulation);
  if (floor === undefined) return '';
  const width = WIDTH / camera.scale;
  const cell = roundLength(width / GROUND_LINES);
  // the point of the floor that the middle of the picture shows
  const [right, up] = VIEW;
  const along = (camera.y - floor * up[2]) / Math.hypot(up[0], up[1]);
  const away = normalize([up[0], up[1], 0]);
  const cx = Math.round((camera.x * right[0] + along * away[0]) / cell) * cell;
  const cy = Math.round((camera.x * right[1] + along * away[1]) / cell) * cell;
  const reach = 4 * GROUND_LINES * cell;
  const lines: string[] = [];
  for (let k = -4 * GROUND_LINES; k <= 4 * GROUND_LINES; k++) {
    const ends: [Point, Point][] = [
      [
        [cx - reach, cy + k * cell, floor],
        [cx + reach, cy + k * cell, floor],
      ],
      [
        [cx + k * cell, cy - reach, floor],
        [cx + k * cell, cy + reach, floor],
      ],
    ];
    for (const [from, to] of ends) lines.push(`M${toPixel(from)}L${toPixel(to)}`);
  }
  return `<path class="ground" d="${lines.join('')}"/>`;
}

function createView(turn: number, tilt: number): [Point, Point, Point] {
  const right: Point = [Math.cos(turn), Math.sin(turn), 0];
  const towards: Point = [Math.sin(turn) * Math.cos(tilt), -Math.cos(turn) * Math.cos(tilt), Math.sin(tilt)];
  return [right, cross(towards, right), towards];
}

// to the right, up, towards the viewer
function project(point: Point): Point {
  return [dot(VIEW[0], point), dot(VIEW[1], point), dot(VIEW[2], point)];
}

function isFacing(spots: readonly (readonly [number, number, number])[]): boolean {
  let area = 0;
  spots.forEach(([x, y], k) => {
    const [u, v] = spots[(k + 1) % spots.length]!;
    area += x * v - u * y;
  });
  return area < 0;
}

function shade({ points, color, isOpen }: Polygon): Point {
  const [a, b, c] = [points[0]!, points[1]!, points[2]!];
  const normal = normalize(cross(subtract(b, a), subtract(c, a)));
  const falling = dot(normal, LIGHT);
  const light = AMBIENT + (1 - AMBIENT) * Math.max(0, isOpen ? Math.abs(falling) : falling);
  return color.map((part) => Math.round(255 * Math.min(1, part * light))) as Point;
}

// from the 1st to the 99th of a hundred, and a little more
function findSpan(values: readonly number[]): [number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const [low, high] = [at(0.005), at(0.995)];
  const room = 0.04 * (high - low);
  return [low - room, high + room];
}

function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= length)!;
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function subtract(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function normalize(a: Point): Point {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}
