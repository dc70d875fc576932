/** The inside of a Web Worker that shares the work of a step. */
import { serveWork, type WorkPlace } from '@nexdyn/engine/work';

globalThis.onmessage = ({ data }: MessageEvent<WorkPlace>) => serveWork(data);
