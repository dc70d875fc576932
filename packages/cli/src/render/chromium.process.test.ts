/** A browser that ends on its own, or does not start, never leaves its caller waiting. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ChromiumPage } from './chromium.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexdyn-browser-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const open = (program: string): Promise<ChromiumPage> => {
  vi.stubEnv('NEXDYN_CHROMIUM', program);
  return ChromiumPage.open('about:blank', { width: 8, height: 8 });
};

test.runIf(process.platform !== 'win32')('a browser that crashes or is not there is an error, at once', async () => {
  const crashing = join(folder, 'crashing');
  writeFileSync(crashing, '#!/bin/sh\nkill -SEGV $$\n');
  chmodSync(crashing, 0o755);
  await expect(open(crashing)).rejects.toThrow('the browser has ended (SIGSEGV)');
  await expect(open(join(folder, 'absent'))).rejects.toThrow('ENOENT');
});
