/**
 * How long tests wait for a page. Tests of a file share pages: after one has failed, the others may wait for what will never come, each
 * for minutes. From then on they wait for seconds.
 */
import type { Page } from 'playwright-core';
import { afterEach } from 'vitest';

/** Ends what hangs: long enough for a machine that is busy with other things, ms. */
const PATIENCE = 120_000;
/** After a failure, ms. */
const IMPATIENCE = 10_000;

const pages = new Set<Page>();

/** Give a page the time that tests wait for it. */
export function waitPatiently(page: Page): void {
  page.setDefaultTimeout(PATIENCE);
  pages.add(page);
  page.once('close', () => pages.delete(page));
}

/** To be called at the top of a test file. */
export function giveUpSoonAfterFailure(): void {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') for (const page of pages) page.setDefaultTimeout(IMPATIENCE);
  });
}
