/**
 * Lengths and Jacobians of tendons.
 *   fixed    L = Σ cᵢ qᵢ
 *   spatial  L = Σ over branches of (straight pieces + arcs)/divisor; a piece from x₀ on body b₀ to x₁ on body b₁ with unit
 *            direction d adds dᵀ (J₁ − J₀). Arcs add nothing to J: their ends are fixed to the wrapped body and slide along it.
 */

import { matrixFromQuaternion, multiplyQuaternions } from '../linear-algebra/quaternion.ts';
import { type Model, STATION } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { transformPoint } from './poses.ts';
import { wrapInside, wrapOutside } from './tendon-wrap.ts';
import type { Workspace } from './workspace.ts';
import { addWrench } from './wrench.ts';

const start = /* @__PURE__ */ new Float64Array(3);
const end = /* @__PURE__ */ new Float64Array(3);
const center = /* @__PURE__ */ new Float64Array(3);
const axes = /* @__PURE__ */ new Float64Array(9);
const frame = /* @__PURE__ */ new Float64Array(4);
const local0 = /* @__PURE__ */ new Float64Array(3);
const local1 = /* @__PURE__ */ new Float64Array(3);
const localSide = /* @__PURE__ */ new Float64Array(3);
const planeU = /* @__PURE__ */ new Float64Array(3);
const planeV = /* @__PURE__ */ new Float64Array(3);
const touch = /* @__PURE__ */ new Float64Array(4);
/** The two points, in world axes, where the string meets and leaves a wrapped shape. */
const wrapPoints = /* @__PURE__ */ new Float64Array(6);

export function updateTendons(model: Model, state: State, work: Workspace): void {
  const { tendon, joint } = model;
  const { tendonLength, tendonJacobian } = work;
  const nv = model.size.velocity;
  const { tendonSpan } = work.plan;
  for (let t = 0; t < model.size.tendon; t++) {
    tendonJacobian.fill(0, t * nv + tendonSpan[2 * t], t * nv + tendonSpan[2 * t + 1]);
    const first = tendon.stationStart[t];
    if (tendon.stationCount[t] > 0 && tendon.stationKind[first] === STATION.joint) {
      // joints of body coordinates have no coordinates here: see joint/joint-transmission.ts
      if (model.coordinates === 'body') continue;
      let length = 0;
      for (let s = first; s < first + tendon.stationCount[t]; s++) {
        const j = tendon.stationObject[s];
        const coefficient = tendon.stationParameter[s];
        length += coefficient * state.position[joint.positionStart[j]];
        tendonJacobian[t * nv + joint.dofStart[j]] += coefficient;
      }
      tendonLength[t] = length;
    } else {
      tendonLength[t] = followPath(model, work, t, addPiece);
    }
  }
}

/** Rates of all lengths: J v. */
export function updateTendonVelocities(model: Model, state: State, work: Workspace): void {
  const nv = model.size.velocity;
  const { tendonJacobian, tendonVelocity } = work;
  const { rowStart, column } = work.plan.tendon;
  for (let t = 0; t < model.size.tendon; t++) {
    let rate = 0;
    for (let k = rowStart[t]; k < rowStart[t + 1]; k++) {
      rate += tendonJacobian[t * nv + column[k]] * state.velocity[column[k]];
    }
    tendonVelocity[t] = rate;
  }
}

/** What is done with a straight piece from p0 on body b0 to p1 on body b1; gives its length. */
type TakePiece = (
  model: Model,
  work: Workspace,
  row: number,
  divisor: number,
  b0: number,
  p0: Float64Array,
  i0: number,
  b1: number,
  p1: Float64Array,
  i1: number,
) => number;

const pull = /* @__PURE__ */ new Float64Array(3);
const none = /* @__PURE__ */ new Float64Array(3);
let puller: AddPull = () => {};
let tension = 0;

/** Takes a force on body b at a point, three numbers each from a place on; the torque is none. */
export type AddPull = (b: number, point: Float64Array, i: number, force: Float64Array, torque: Float64Array) => void;

/** Gives the forces that a spatial tendon with a force along it, positive where it lengthens, has on the bodies of its path. */
export function pullPath(model: Model, work: Workspace, t: number, force: number, add: AddPull): void {
  puller = add;
  tension = force;
  followPath(model, work, t, pullPiece);
}

const pullPiece: TakePiece = (_model, _work, _row, divisor, b0, p0, i0, b1, p1, i1) => {
  let square = 0;
  for (let k = 0; k < 3; k++) {
    pull[k] = p1[i1 + k] - p0[i0 + k];
    square += pull[k] * pull[k];
  }
  const length = Math.sqrt(square);
  if (b0 === b1) return length;
  for (let k = 0; k < 3; k++) pull[k] = (tension / divisor) * (length < 1e-15 ? (k === 0 ? 1 : 0) : pull[k] / length);
  puller(b1, p1, i1, pull, none);
  for (let k = 0; k < 3; k++) pull[k] = -pull[k];
  puller(b0, p0, i0, pull, none);
  return length;
};

function followPath(model: Model, work: Workspace, t: number, takePiece: TakePiece): number {
  const { tendon, site, shape } = model;
  const { sitePosition } = work;
  const row = t * model.size.velocity;
  const last = tendon.stationStart[t] + tendon.stationCount[t] - 1;
  let divisor = 1;
  let length = 0;
  let s = tendon.stationStart[t];
  while (s < last) {
    if (tendon.stationKind[s] === STATION.pulley) {
      divisor = tendon.stationParameter[s];
      s++;
      continue;
    }
    // station s is a site; the next is a site, a pulley, or a shape with a site behind it
    const next = tendon.stationKind[s + 1];
    if (next === STATION.pulley) {
      s++;
      continue;
    }
    const from = tendon.stationObject[s];
    const isWrap = next === STATION.sphere || next === STATION.cylinder;
    const to = tendon.stationObject[isWrap ? s + 2 : s + 1];
    for (let k = 0; k < 3; k++) {
      start[k] = sitePosition[3 * from + k];
      end[k] = sitePosition[3 * to + k];
    }
    const arc = isWrap ? wrapShape(model, work, tendon.stationObject[s + 1], tendon.stationParameter[s + 1], next) : -1;
    if (arc < 0) {
      length += takePiece(model, work, row, divisor, site.body[from], start, 0, site.body[to], end, 0) / divisor;
    } else {
      const wrapped = shape.body[tendon.stationObject[s + 1]];
      length += takePiece(model, work, row, divisor, site.body[from], start, 0, wrapped, wrapPoints, 0) / divisor;
      length += arc / divisor;
      length += takePiece(model, work, row, divisor, wrapped, wrapPoints, 3, site.body[to], end, 0) / divisor;
    }
    s += isWrap ? 2 : 1;
  }
  return length;
}

/** Length of a straight piece; adds its row of the Jacobian. */
function addPiece(
  model: Model,
  work: Workspace,
  row: number,
  divisor: number,
  b0: number,
  p0: Float64Array,
  i0: number,
  b1: number,
  p1: Float64Array,
  i1: number,
): number {
  let dx = p1[i1] - p0[i0];
  let dy = p1[i1 + 1] - p0[i0 + 1];
  let dz = p1[i1 + 2] - p0[i0 + 2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (b0 === b1) return length;
  if (length < 1e-15) {
    dx = 1;
    dy = 0;
    dz = 0;
  } else {
    dx /= length;
    dy /= length;
    dz /= length;
  }
  const s = 1 / divisor;
  addWrench(work.tendonJacobian, row, model, work, b1, p1[i1], p1[i1 + 1], p1[i1 + 2], s * dx, s * dy, s * dz, 0, 0, 0);
  addWrench(
    work.tendonJacobian,
    row,
    model,
    work,
    b0,
    p0[i0],
    p0[i0 + 1],
    p0[i0 + 2],
    -s * dx,
    -s * dy,
    -s * dz,
    0,
    0,
    0,
  );
  return length;
}

/** Length of the arc around a sphere or cylinder between `start` and `end`, or -1; fills `wrapPoints`. */
function wrapShape(model: Model, work: Workspace, g: number, sideSite: number, station: number): number {
  const { shape } = model;
  const radius = shape.size[3 * g];
  const b = shape.body[g];
  const isSphere = station === STATION.sphere;
  transformPoint(center, 0, work, b, shape.position, 3 * g);
  multiplyQuaternions(frame, 0, work.bodyOrientation, 4 * b, shape.orientation, 4 * g);
  matrixFromQuaternion(axes, 0, frame, 0);
  toLocal(local0, start, 0);
  toLocal(local1, end, 0);
  if (norm(local0) < 1e-15 || norm(local1) < 1e-15) return -1;
  choosePlane(isSphere);

  // the problem in the plane
  const x0 = dot(local0, planeU);
  const y0 = dot(local0, planeV);
  const x1 = dot(local1, planeU);
  const y1 = dot(local1, planeV);
  let sideX = 0;
  let sideY = 0;
  let isInside = false;
  if (sideSite >= 0) {
    toLocal(localSide, work.sitePosition, 3 * sideSite);
    sideX = dot(localSide, planeU);
    sideY = dot(localSide, planeV);
    // the site itself says whether the string stays inside, its projection says on which side it passes
    isInside = norm(localSide) < radius;
    const distance = Math.sqrt(sideX * sideX + sideY * sideY);
    sideX = distance < 1e-15 ? radius : (sideX * radius) / distance;
    sideY = distance < 1e-15 ? 0 : (sideY * radius) / distance;
  }
  let arc = isInside
    ? wrapInside(touch, x0, y0, x1, y1, radius)
    : wrapOutside(touch, x0, y0, x1, y1, radius, sideSite >= 0, sideX, sideY);
  if (arc < 0) return -1;

  // heights along a cylinder grow evenly with the length in the plane
  let z0 = 0;
  let z1 = 0;
  if (!isSphere) {
    const l0 = Math.sqrt((x0 - touch[0]) ** 2 + (y0 - touch[1]) ** 2);
    const l1 = Math.sqrt((x1 - touch[2]) ** 2 + (y1 - touch[3]) ** 2);
    const rise = (local1[2] - local0[2]) / (l0 + arc + l1);
    z0 = local0[2] + rise * l0;
    z1 = local0[2] + rise * (l0 + arc);
    arc = Math.sqrt(arc * arc + (z1 - z0) ** 2);
  }
  toWorld(0, touch[0], touch[1], z0, isSphere);
  toWorld(3, touch[2], touch[3], z1, isSphere);
  return arc;
}

/** Sphere: the plane of both points and the centre. Cylinder: across its axis. */
function choosePlane(isSphere: boolean): void {
  if (!isSphere) {
    planeU.fill(0);
    planeV.fill(0);
    planeU[0] = 1;
    planeV[1] = 1;
    return;
  }
  const n0 = norm(local0);
  for (let k = 0; k < 3; k++) planeU[k] = local0[k] / n0;
  let nx = local0[1] * local1[2] - local0[2] * local1[1];
  let ny = local0[2] * local1[0] - local0[0] * local1[2];
  let nz = local0[0] * local1[1] - local0[1] * local1[0];
  let n = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (n < 1e-15) {
    // points on one line through the centre: any plane that holds it, away from its largest component
    const ax = Math.abs(planeU[0]);
    const ay = Math.abs(planeU[1]);
    const az = Math.abs(planeU[2]);
    const largest = ay > ax && ay > az ? 1 : az > ax && az > ay ? 2 : 0;
    const ex = largest === 0 ? 0 : 1;
    const ey = largest === 1 ? 0 : 1;
    const ez = largest === 2 ? 0 : 1;
    nx = planeU[1] * ez - planeU[2] * ey;
    ny = planeU[2] * ex - planeU[0] * ez;
    nz = planeU[0] * ey - planeU[1] * ex;
    n = Math.sqrt(nx * nx + ny * ny + nz * nz);
  }
  planeV[0] = (ny * planeU[2] - nz * planeU[1]) / n;
  planeV[1] = (nz * planeU[0] - nx * planeU[2]) / n;
  planeV[2] = (nx * planeU[1] - ny * planeU[0]) / n;
}

function toLocal(out: Float64Array, p: Float64Array, i: number): void {
  const x = p[i] - center[0];
  const y = p[i + 1] - center[1];
  const z = p[i + 2] - center[2];
  for (let k = 0; k < 3; k++) out[k] = axes[k] * x + axes[3 + k] * y + axes[6 + k] * z;
}

function toWorld(o: number, u: number, v: number, z: number, isSphere: boolean): void {
  const x = planeU[0] * u + planeV[0] * v;
  const y = planeU[1] * u + planeV[1] * v;
  const height = isSphere ? planeU[2] * u + planeV[2] * v : z;
  for (let k = 0; k < 3; k++)
    wrapPoints[o + k] = center[k] + axes[3 * k] * x + axes[3 * k + 1] * y + axes[3 * k + 2] * height;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}
