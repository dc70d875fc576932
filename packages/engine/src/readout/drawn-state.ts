/** Second part of a simulation: its state as pages draw it, by matrices, triangles and 32-bit numbers. */
import { findIndex } from '../state/inputs.ts';
import {
  type DrawnPose,
  type NumberArray,
  requireRoom,
  writeBodyMatrix,
  writeDrawnPose,
  writeShapeMatrix,
} from './drawing.ts';
import { StateAccess } from './state-access.ts';

export abstract class DrawnState extends StateAccess {
  /** Reads a pose for drawing, with a quaternion x y z w, into an object such as an `Object3D` of three.js. */
  readPose<T extends DrawnPose>(body: string | number, out: T): T {
    writeDrawnPose(out, this.derived, findIndex(this.model.body.name, body, 'body'));
    return out;
  }

  /** Writes the 4 × 4 matrix of a body by columns, as three.js, WebGL and WebGPU take it. */
  writeMatrix<T extends NumberArray>(body: string | number, out: T, offset = 0): T {
    requireRoom(out, offset, 16);
    writeBodyMatrix(out, offset, this.derived, findIndex(this.model.body.name, body, 'body'));
    return out;
  }

  /** Writes the matrices of all bodies, 16 numbers each by columns, the world first. */
  writeMatrices(out: Float32Array = new Float32Array(16 * this.model.size.body)): Float32Array {
    const { size } = this.model;
    requireRoom(out, 0, 16 * size.body);
    for (let b = 0; b < size.body; b++) writeBodyMatrix(out, 16 * b, this.derived, b);
    return out;
  }

  /** Writes the matrices of all shapes, from the frame of each to the world, 16 numbers each by columns. */
  writeShapeMatrices(out: Float32Array = new Float32Array(16 * this.model.size.shape)): Float32Array {
    const { size } = this.model;
    requireRoom(out, 0, 16 * size.shape);
    for (let s = 0; s < size.shape; s++) writeShapeMatrix(out, 16 * s, this.model, this.derived, s);
    return out;
  }

  /** Writes the vertices of a soft body as 32-bit numbers, for a buffer of a graphics card. */
  writeSoftPosition(body: string | number, out?: Float32Array): Float32Array {
    const vertices = this.softPosition(body);
    const target = out ?? new Float32Array(vertices.length);
    requireRoom(target, 0, vertices.length);
    target.set(vertices);
    return target;
  }

  /** Triangles of the surface of a soft body: three numbers of its vertices each, counter-clockwise from outside. */
  softTriangles(body: string | number): Uint32Array {
    const { soft } = this.model;
    const n = findIndex(soft.name, body, 'soft body');
    const part = soft.triangle.subarray(3 * soft.triangleStart[n], 3 * soft.triangleStart[n + 1]);
    return Uint32Array.from(part, (vertex) => vertex - soft.vertexStart[n]);
  }
}
