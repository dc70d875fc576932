/** The worker that reads what comes from outside: see file-desk.ts. */
import { expose, transfer } from 'comlink';
import { describeProblem } from '../session/problem.ts';
import type { SceneFiles } from '../session/protocol.ts';
import type { Answer, FileDesk } from './file-desk.ts';
import { readPicked, unpackRun, unpackScene } from './file-reading.ts';
import { fetchModel } from './web-model.ts';

/** Errors lose their fields between threads: they travel as what the page shows of them. */
async function answer<T>(work: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { problem: describeProblem(error, {}) };
  }
}

/** Bytes go back without a copy. */
function hand<T extends { files: SceneFiles }>(result: Answer<T>): Answer<T> {
  const contents = 'value' in result ? Object.values(result.value.files) : [];
  const buffers = contents.flatMap((content) => (typeof content === 'string' ? [] : [content.buffer as ArrayBuffer]));
  return transfer(result, [...new Set(buffers)]);
}

const desk: FileDesk = {
  readPicked: async (picked) => hand(await answer(readPicked(picked))),
  unpackScene: async (packed) => hand(await answer(unpackScene(packed))),
  unpackRun: (packed) => answer(unpackRun(packed)),
  fetchModel: async (address) => hand(await answer(fetchModel(address))),
};

expose(desk);
