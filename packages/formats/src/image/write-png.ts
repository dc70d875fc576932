/** PNG (ISO/IEC 15948) of 8-bit colours: rows without a filter in one zlib stream. */
import { zlibSync } from 'fflate';
import { computeCrc } from './crc.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const RED_GREEN_BLUE = 2;

/** A PNG file of red, green and blue, row by row from the top. */
export function writePng(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, RED_GREEN_BLUE], 8);
  const rows = new Uint8Array(height * (3 * width + 1));
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(3 * width * row, 3 * width * (row + 1)), row * (3 * width + 1) + 1);
  }
  const chunks = [makeChunk('IHDR', header), makeChunk('IDAT', zlibSync(rows)), makeChunk('IEND', new Uint8Array())];
  const file = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, SIGNATURE.length));
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const chunk of chunks) {
    file.set(chunk, at);
    at += chunk.length;
  }
  return file;
}

function makeChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) chunk[4 + i] = type.charCodeAt(i);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, computeCrc(chunk.subarray(4, 8 + data.length)));
  return chunk;
}
