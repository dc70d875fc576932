import { Session } from './session/client.ts';
import type { SceneFiles } from './session/protocol.ts';
import type { Studio } from './studio.ts';

/** What scripts and tests can ask the page, as `window.nexdyn`. */
export interface PageInterface {
  /** State hash after a number of steps, computed in a worker of its own as any scene of the page is. */
  hashAfter(files: SceneFiles, path: string, steps: number): Promise<string>;
  /** Wait until all commands so far are carried out and drawn. */
  settle(): Promise<void>;
}

declare global {
  interface Window {
    nexdyn: PageInterface;
  }
}

export function exposePageInterface(studio: Studio): void {
  window.nexdyn = {
    settle: () => studio.settle(),
    async hashAfter(files, path, steps) {
      const session = new Session();
      try {
        return await session.hashAfter(files, path, steps);
      } finally {
        session.close();
      }
    },
  };
}
