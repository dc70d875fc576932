/** A real Chromium, drawing in software, that talks to nobody but the pages it is given. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Where the browser is: the one named in the environment, else Debian's. */
export const CHROMIUM: string = process.env['NEXDYN_CHROMIUM'] ?? '/usr/bin/chromium';

/** Tests that need a browser are skipped, by name, where there is none. */
export const hasChromium: boolean = existsSync(CHROMIUM);

const FLAGS = [
  '--headless',
  '--no-sandbox',
  // WebGL 2 without a graphics card
  '--disable-gpu',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // a quarter of the samples: edges are jagged, and the rest is as users see it
  '--webgl-antialiasing-mode=none',
  // no traffic of its own
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // nobody types an address: without the pages behind that field a window costs a third less
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AimEnabled,PaintHolding,MediaRouter,' +
    'AvoidUnnecessaryBeforeUnloadCheckSync,HttpsUpgrades,LensOverlay,ThirdPartyStoragePartitioning,OptimizationHints,' +
    'NetworkTimeServiceQuerying,PreconnectToSearch',
];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}
