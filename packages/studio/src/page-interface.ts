import { Session } from './session/client.ts';
import type { SceneFiles } from './session/protocol.ts';
import type { Studio } from './studio.ts';

/** What scripts and tests can ask the page, as `window.nexdyn`. */
export interface PageInterface {
  /** State hash after a number of steps, computed in a worker of its own as any scene of the page is. */
  hashAfter(files: SceneFiles, path: string, steps: number): Promise<string>;
  /** Contacts of the state that is shown, with their forces; undefined while neither contacts nor forces are shown. */
  contacts(): ShownContacts | undefined;
  /** Number of the run: every scene that is opened and every reset begins another. */
  run(): number;
  /** Curves of the run so far. */
  history(): { time: number[]; iterations: number[]; residual: (number | null)[]; total: number[] };
  /** Wait until all commands so far are carried out and drawn. */
  settle(): Promise<void>;
}

export interface ShownContacts {
  total: number;
  /** Arrows that are drawn. */
  arrows: number;
  stick: number;
  slide: number;
  /** Sum of normal forces, N. */
  normalForce: number;
  /** Force of fixed bodies on moving ones, N. */
  support: [number, number, number];
  /** Weight of what moves, N. */
  weight: number;
  /** Newtons for which an arrow of one grid cell stands. */
  newtonsPerCell: number;
}

declare global {
  interface Window {
    nexdyn: PageInterface;
  }
}

export function exposePageInterface(studio: Studio): void {
  window.nexdyn = {
    settle: () => studio.settle(),
    run: () => studio.frame.value?.run ?? 0,
    contacts: () => describeContacts(studio),
    history() {
      const { time, iterations, residual, total } = studio.history;
      return { time: [...time], iterations: [...iterations], residual: [...residual], total: [...total] };
    },
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

function describeContacts(studio: Studio): ShownContacts | undefined {
  const contacts = studio.frame.value?.contacts;
  if (!contacts) return undefined;
  const { total, modes, normalForce, support } = contacts;
  const { stick, slide } = modes;
  return {
    total,
    arrows: studio.view.value.forces ? stick + slide : 0,
    stick,
    slide,
    normalForce,
    support,
    weight: studio.scene.value?.facts.weight ?? 0,
    newtonsPerCell: studio.newtonsPerCell.value,
  };
}
