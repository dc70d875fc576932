/** The inside of a Web Worker. */
import { answerRequests, type ThreadRequest } from './thread.ts';

const answer = answerRequests((result, transfer) => globalThis.postMessage(result, { transfer }));
globalThis.onmessage = ({ data }: MessageEvent<ThreadRequest>) => answer(data);
