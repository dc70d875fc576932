/** The one part of the WebAssembly API the engine uses; declared here because the engine depends on neither DOM nor Node types. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBufferLike;
    grow(pages: number): number;
  }
}
