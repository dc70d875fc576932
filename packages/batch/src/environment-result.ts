/** Results before anything has happened, and those of environments that failed. */
import { NexdynError } from '@nexdyn/engine/core';
import type { EnvironmentError, EnvironmentResult } from './environment.ts';

/** A result without steps. */
export function createResult(index: number, status: EnvironmentResult['status']): EnvironmentResult {
  return {
    index,
    status,
    steps: 0,
    time: 0,
    state: new Float64Array(0),
    hash: '',
    unconvergedSteps: 0,
    iterations: 0,
    energy: undefined,
    nonFinite: undefined,
    energyGain: undefined,
    error: undefined,
    reward: 0,
    stopped: '',
    frames: undefined,
    gradient: undefined,
  };
}

/** The result of an environment that could not run. */
export function createFailure(index: number, error: EnvironmentError): EnvironmentResult {
  return { ...createResult(index, 'failed'), error };
}

/** An error in a form that can be sent to another thread. */
export function describeError(error: unknown): EnvironmentError {
  if (error instanceof NexdynError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
