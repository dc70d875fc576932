import { NexdynError } from '@nexdyn/engine/core';
import type { EnvironmentProgram } from './environment.ts';

const FUNCTIONS = ['act', 'reward', 'isOver'] as const;

/** The functions that a module exports; an error where it has none of them. */
export async function loadProgram(address: string): Promise<EnvironmentProgram> {
  let module: Record<string, unknown>;
  try {
    // the address is known only here
    module = await import(/* @vite-ignore */ address);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NexdynError('file-unreadable', `the program cannot be loaded: ${reason}`, {
      path: 'program',
      hint: "give the address of a JavaScript module: new URL('./policy.mjs', import.meta.url).href",
    });
  }
  if (FUNCTIONS.some((name) => typeof module[name] === 'function')) return module as EnvironmentProgram;
  throw new NexdynError('invalid-argument', 'the program exports none of its functions', {
    path: 'program',
    hint: `export ${FUNCTIONS.join(', ')}, or some of them`,
  });
}
