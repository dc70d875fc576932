/** The inside of a thread with environments that stay: answers one request after the other. */
import { loadChangedParts, loadSceneParts } from '../engine-parts.ts';
import { describeError } from '../environment-result.ts';
import { type BlockViews, viewBlock } from './block-layout.ts';
import { ResidentEnvironments } from './resident-environments.ts';
import type { ResidentReply, ResidentRequest } from './resident-messages.ts';

export class ResidentThread {
  #environments: ResidentEnvironments | undefined;
  #views: BlockViews | undefined;
  /** Where memory is not shared. */
  #block: Float64Array | undefined;

  async answer(request: ResidentRequest): Promise<ResidentReply> {
    try {
      const reply = await this.#meet(request);
      return this.#block ? { ...reply, block: this.#block.slice() } : reply;
    } catch (error) {
      const { code, message } = describeError(error);
      return { kind: 'resident', ended: [], iterations: 0, unconvergedSteps: 0, error: { code, message } };
    }
  }

  async #meet(request: ResidentRequest): Promise<ResidentReply> {
    if (request.kind === 'settle') return this.#settle(request);
    const environments = this.#environments!;
    if (request.kind === 'restart') {
      for (const { start } of request.entries) await loadChangedParts(start);
      return environments.reset(request.entries);
    }
    if (request.control) this.#views!.control.set(request.control);
    return environments.step(request.steps);
  }

  async #settle(request: ResidentRequest & { kind: 'settle' }): Promise<ResidentReply> {
    await loadSceneParts(request.source);
    for (const start of request.starts) await loadChangedParts(start);
    const { layout, memory, first, starts, source, observed, program } = request;
    this.#block = memory ? undefined : new Float64Array(layout.length);
    this.#views = memory
      ? viewBlock(layout, memory, first, starts.length)
      : viewBlock(layout, this.#block!.buffer, 0, starts.length);
    const options = { source, observed, first, ...(program !== undefined && { program }) };
    this.#environments = new ResidentEnvironments(options, this.#views);
    return this.#environments.open(starts);
  }
}
