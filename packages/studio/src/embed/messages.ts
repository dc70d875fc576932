/** What a page and the scene embedded in it say to each other, by `postMessage`. Anybody may embed the page: a message can do no more than a user can. */
import type { FormulationId } from '@nexdyn/engine';

/** From the page around it. */
export type EmbedCommand =
  | { nexdyn: 'play' }
  | { nexdyn: 'pause' }
  | { nexdyn: 'reset' }
  /** s. */
  | { nexdyn: 'goTo'; time: number }
  | { nexdyn: 'formulation'; formulation: FormulationId }
  /** A scene in NexDyn's JSON. */
  | { nexdyn: 'open'; scene: string };

/** To the page around it. */
export type EmbedEvent =
  | { nexdyn: 'ready' }
  | { nexdyn: 'scene'; name: string; formulation: string }
  /** s. */
  | { nexdyn: 'time'; time: number; isPlaying: boolean }
  | { nexdyn: 'problem'; reason: string };

/** The command in a message, if it is one. */
export function readCommand(data: unknown): EmbedCommand | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { nexdyn, time, formulation, scene } = data as Record<string, unknown>;
  switch (nexdyn) {
    case 'play':
    case 'pause':
    case 'reset':
      return { nexdyn };
    case 'goTo':
      return typeof time === 'number' && Number.isFinite(time) && time >= 0 ? { nexdyn, time } : undefined;
    case 'formulation':
      return typeof formulation === 'string' ? { nexdyn, formulation: formulation as FormulationId } : undefined;
    case 'open':
      return typeof scene === 'string' ? { nexdyn, scene } : undefined;
    default:
      return undefined;
  }
}
