/** Pixels as a PNG file: eight bits of red, green, blue and opacity. Source: W3C, Portable Network Graphics, third edition. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  // every row begins with its filter: the difference to the row above
  const rows = Buffer.alloc(height * (1 + 4 * width));
  for (let y = 0; y < height; y++) {
    const at = y * (1 + 4 * width);
    rows[at] = 2;
    for (let k = 0; k < 4 * width; k++) {
      const above = y > 0 ? pixels[4 * width * (y - 1) + k]! : 0;
      rows[at + 1 + k] = pixels[4 * width * y + k]! - above;
    }
  }
  const chunks = [
    formatChunk('IHDR', header),
    formatChunk('IDAT', deflateSync(rows, { level: 9 })),
    formatChunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from(SIGNATURE), ...chunks]);
}

function formatChunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
