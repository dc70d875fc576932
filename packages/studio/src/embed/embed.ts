/** The page inside another one, fetched only there. */
import { createElement, render } from 'preact';
import type { Studio } from '../studio.ts';
import { EmbeddedPage } from './embedded-page.tsx';
import { listenToParent } from './parent-page.ts';

export function showEmbedded(studio: Studio, root: HTMLElement): void {
  render(createElement(EmbeddedPage, { studio }), root);
  listenToParent(studio);
}
