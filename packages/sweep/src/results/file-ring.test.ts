import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileRing } from './file-ring.ts';

test('files of any size are read as they are, in any order, by a ring that has no room for all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexdyn-ring-'));
  try {
    // some fit many times, one fills the ring, one is larger
    const files = [0, 1, 7, 300, 299, 301, 512, 1000, 1024, 5000].map((size, n) => {
      const bytes = Buffer.alloc(size, 65 + n);
      const path = join(folder, String(n));
      writeFileSync(path, bytes);
      return { path, bytes };
    });
    const ring = new FileRing(1024);
    for (let k = 0; k < 2000; k++) {
      const { path, bytes } = files[(k * k + 3 * k) % (k % 2 === 0 ? files.length : 6)]!;
      if (!ring.read(path).equals(bytes)) expect.fail(`read ${k}: ${path}`);
    }
    expect(() => ring.read(join(folder, 'none'))).toThrow(/ENOENT/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
