/** What went wrong, for programs. */
export type ErrorCode =
  // the file
  | 'file-not-found'
  | 'file-unreadable'
  | 'path-outside-folder'
  | 'malformed-xml'
  | 'malformed-json'
  | 'malformed-mesh'
  | 'malformed-image'
  | 'include-cycle'
  | 'unknown-format'
  | 'too-large'
  // the scene
  | 'invalid-value'
  | 'missing-value'
  | 'unknown-field'
  | 'unknown-reference'
  | 'duplicate-name'
  | 'cyclic-tree'
  | 'invalid-joint'
  | 'invalid-mass'
  | 'invalid-mesh'
  | 'invalid-keyframe'
  | 'unsupported-element'
  | 'unsupported-formulation'
  // the caller
  | 'invalid-argument'
  | 'incompatible-snapshot'
  // the network
  | 'connection-failed'
  // the machine
  | 'thread-lost';

/** Where it went wrong and what to do about it. */
export interface ErrorPlace {
  /** Path into the scene, as in `bodies[2].joints[0].axis`. */
  path?: string;
  /** Name of the file. */
  file?: string;
  /** Line in the file, from 1. */
  line?: number;
  /** Column in the line, from 1. */
  column?: number;
  /** What the user can do. */
  hint?: string;
}

/** The one error that bad input and wrong usage raise. Solvers that do not converge report, they never throw. */
export class NexdynError extends Error {
  /** `NexdynError`. */
  override readonly name: string = 'NexdynError';
  /** What went wrong, for programs. */
  readonly code: ErrorCode;
  /** Path into the scene. */
  readonly path: string | undefined;
  /** Name of the file. */
  readonly file: string | undefined;
  /** Line in the file, from 1. */
  readonly line: number | undefined;
  /** Column in the line, from 1. */
  readonly column: number | undefined;
  /** What the user can do. */
  readonly hint: string | undefined;
  /** The bare sentence, without place and hint. */
  readonly reason: string;

  constructor(code: ErrorCode, reason: string, place: ErrorPlace = {}) {
    super(formatMessage(reason, place));
    this.code = code;
    this.reason = reason;
    this.path = place.path;
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.hint = place.hint;
  }
}

function formatMessage(reason: string, place: ErrorPlace): string {
  const at = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  const where = [at, place.path].filter((part) => part).join(' ');
  return `${where ? `${where}: ` : ''}${reason}${place.hint ? ` (${place.hint})` : ''}`;
}
