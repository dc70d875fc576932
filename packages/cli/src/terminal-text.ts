/**
 * Text from files as it may go to a terminal. Control characters and escape sequences could move the cursor, change what
 * was printed or type into the terminal; characters that reverse the direction of writing could show a name as another.
 * They are printed as `\u001b`, which JSON reads as the same character.
 */
import type { CommandIo } from './command-io.ts';

// control characters, marks of direction, separators of lines that are no newline
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
const NEWLINES = /[\n\t]/g;

/** The text with every character that a terminal would obey written as its code; newlines and tabs stay. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, formatCode);
}

/** The same for text that is part of a line: newlines and tabs are written as codes, too. */
export function escapeName(text: string): string {
  return escapeControls(text).replace(NEWLINES, formatCode);
}

/** Streams to which nothing is written that a terminal would obey. */
export function protectTerminal(io: CommandIo): CommandIo {
  return {
    writeData: (text) => io.writeData(escapeControls(text)),
    writeMessage: (text) => io.writeMessage(escapeControls(text)),
    redrawLine: (text) => io.redrawLine(escapeName(text)),
    isTerminal: io.isTerminal,
    isDataTerminal: io.isDataTerminal,
    columns: io.columns,
  };
}

function formatCode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
