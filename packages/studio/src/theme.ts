import type { Theme } from './view3d/palette.ts';

const STORED = 'nexdyn-theme';

/** What the user chose before, else what the system prefers. */
export function recallTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORED);
    if (stored === 'dark' || stored === 'light') return stored;
  } catch {
    // a page without storage follows the system
  }
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

/** Colours in the style sheet follow `color-scheme`. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  document.documentElement.style.colorScheme = theme;
}

export function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // not remembered
  }
}
