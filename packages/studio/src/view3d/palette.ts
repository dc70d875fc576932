import { Color } from 'three';
import type { ContactKind, ContactMode } from '../session/contact-frame.ts';

/** Colours of the 3D view, for each theme; the panels have theirs in `style.css`. */
export type Theme = 'dark' | 'light';

export interface ViewPalette {
  background: number;
  ground: number;
  gridLine: number;
  skyLight: number;
  groundLight: number;
  keyLight: number;
  /** Intensities. */
  sky: number;
  key: number;
}

export const VIEW_PALETTE: Readonly<Record<Theme, ViewPalette>> = {
  dark: {
    background: 0x171b21,
    ground: 0x2a3038,
    gridLine: 0x505a68,
    skyLight: 0xe8edf5,
    groundLight: 0x868d99,
    keyLight: 0xfff4e6,
    sky: 2.4,
    key: 2.9,
  },
  light: {
    background: 0xeef1f5,
    ground: 0xe2e6eb,
    gridLine: 0xb7c0cb,
    skyLight: 0xffffff,
    groundLight: 0xb9bec6,
    keyLight: 0xfff8ee,
    sky: 2.2,
    key: 2.6,
  },
};

/** For shapes without a colour, body by body; distinguishable with red-green colour blindness. */
const BODY_COLORS = [0x5b9bd5, 0xe3a34b, 0x4fb3a5, 0xc77fb0, 0xd9c35c, 0x8a93c9, 0xd9795d, 0x9aa5b1];

/** Colours of contacts, the same in both themes: vermilion, yellow and sky blue differ for every kind of colour vision. */
export const CONTACT_COLORS: Readonly<Record<ContactKind, number>> = {
  penetrating: 0xf0561d,
  touching: 0xf5e342,
  near: 0x56b4e9,
};

/** Colours of forces, the same in both themes: blue and amber differ for every kind of colour vision, and in brightness. */
export const FORCE_COLORS: Readonly<Record<Exclude<ContactMode, 'open'>, number>> = {
  stick: 0x2f8fff,
  slide: 0xffb000,
};

/** The colour of a floor that has a hue; grey, white and black floors take the colour of the theme. */
export function findHue([red, green, blue]: readonly [number, number, number, number]): Color | undefined {
  const [low, high] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  return high - low > 0.2 ? new Color().setRGB(red, green, blue, 'srgb') : undefined;
}

/** The grey of shapes without a colour. */
export function isUncolored(color: readonly [number, number, number, number]): boolean {
  return color[0] === 0.5 && color[1] === 0.5 && color[2] === 0.5 && color[3] === 1;
}

export function bodyColor(body: number): number {
  return body === 0 ? 0x9aa5b1 : BODY_COLORS[(body - 1) % BODY_COLORS.length]!;
}
