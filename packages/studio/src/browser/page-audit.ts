/** What a critical eye finds wrong with a page, measured: faint text, cut text, overlaps, numbers and buttons that do not say what they are. */
import type { Page } from 'playwright-core';

export interface PageFaults {
  /** Text whose contrast is below 4.5 : 1 (WCAG 2 AA). */
  faint: string[];
  /** Text that does not fit into its box, or its box into its panel. */
  cut: string[];
  /** Numbers that go on in another line, apart from their unit. */
  broken: string[];
  /** Numbers without a hover text. */
  unexplained: string[];
  /** Controls without a hover text. */
  unnamed: string[];
  /** Boxes over the view that lie over each other. */
  overlapping: string[];
  /** Pixels by which the page is wider than its window. */
  sideways: number;
}

export function auditPage(page: Page): Promise<PageFaults> {
  return page.evaluate(() => {
    type Color = [number, number, number, number];
    const parseColor = (text: string): Color => {
      const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
      return text.startsWith('color(srgb') ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
    };
    const lay = (over: Color, under: Color): Color => {
      const mix = (i: 0 | 1 | 2): number => over[i] * over[3] + under[i] * (1 - over[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    // relative luminance and contrast ratio as WCAG 2 defines them
    const luminance = (color: Color): number => {
      const linear = (part: number): number =>
        part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
    };
    const ancestors = (element: Element): Element[] => {
      const list: Element[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) list.push(at);
      return list;
    };
    const backgroundOf = (element: Element): Color =>
      ancestors(element)
        .map((at) => parseColor(getComputedStyle(at).backgroundColor))
        .reduceRight<Color>((under, over) => lay(over, under), [255, 255, 255, 1]);
    const describe = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}: ${element.textContent?.slice(0, 40)}`;
    const isSeen = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
    };
    const all = [...document.querySelectorAll('body *')].filter(isSeen);
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());

    const faint = all.filter((element) => {
      if (!hasText(element) || element.closest(':disabled, title, option')) return false;
      const style = getComputedStyle(element);
      const opacity = ancestors(element).reduce((product, at) => product * Number(getComputedStyle(at).opacity), 1);
      const background = backgroundOf(element);
      const own = parseColor(element.closest('svg') ? style.fill : style.color);
      const text = lay([own[0], own[1], own[2], own[3] * opacity], background);
      const [low, high] = [luminance(text), luminance(background)].sort((a, b) => a - b) as [number, number];
      return (high + 0.05) / (low + 0.05) < 4.5;
    });
    const cut = all.filter((element) => {
      if (!(hasText(element) || element.matches('button')) || element.closest('svg, .plot, option, .json-back'))
        return false;
      const isClipped =
        element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflow !== 'visible';
      const panel = element.closest('.side, .gallery li, .top-bar, .transport, dialog');
      const isOutside =
        panel !== null && element.getBoundingClientRect().right > panel.getBoundingClientRect().right + 0.5;
      return isClipped || isOutside;
    });
    const broken = all.filter((element) => {
      if (!element.matches('output, dd, td, .scale') || !/^[−\d]/.test(element.textContent ?? '')) return false;
      const range = document.createRange();
      const lines = [...element.childNodes].flatMap((node) => {
        range.selectNodeContents(node);
        return node.nodeType === Node.TEXT_NODE ? [...range.getClientRects()].map(({ top }) => Math.round(top)) : [];
      });
      return new Set(lines).size > 1;
    });
    const unexplained = all.filter(
      (element) =>
        element.matches('output, dd, td, .scale, .count') &&
        /\d/.test(element.textContent ?? '') &&
        !element.closest('[title], dialog'),
    );
    const unnamed = all.filter(
      (element) =>
        element.matches('button, select, input') && !element.closest('[title]') && !element.matches('label *'),
    );
    const boxes = all.filter((element) =>
      element.matches('.view-top > *, .view-corner > *, .welcome, .transport, .view-tools, .hint, .notice, .pane-name'),
    );
    const overlapping = boxes.flatMap((one, i) =>
      boxes.slice(i + 1).flatMap((two) => {
        const [a, b] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
        const meets = a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        return meets && !one.contains(two) ? [`${describe(one)} / ${describe(two)}`] : [];
      }),
    );
    return {
      faint: faint.map(describe),
      cut: cut.map(describe),
      broken: broken.map(describe),
      unexplained: unexplained.map(describe),
      unnamed: unnamed.map(describe),
      overlapping,
      sideways: Math.max(0, document.documentElement.scrollWidth - innerWidth),
    };
  });
}

export const NO_FAULTS: PageFaults = {
  faint: [],
  cut: [],
  broken: [],
  unexplained: [],
  unnamed: [],
  overlapping: [],
  sideways: 0,
};

/** Controls that are smaller than a finger: 44 pixels (WCAG 2.5.5); boxes to tick have their labels. */
export function listSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, select, summary, input:not([type=checkbox])')]
      .filter((element) => element.offsetParent && !element.closest('.skip'))
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width < 43.5 || height < 43.5;
      })
      .map((element) => element.outerHTML.slice(0, 90)),
  );
}
