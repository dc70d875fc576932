/** Where a caret stands in JSON that need not be complete: in which object or list, at a key or at a value. */
import type { Step } from './schema-walk.ts';

export interface JsonContext {
  /** From the root to the object or list that the caret is in. */
  steps: Step[];
  /** Of the root. */
  rootKind: string | undefined;
  place: 'key' | 'value';
  /** The key whose value is meant; undefined in a list. */
  key: string | undefined;
  /** Keys that the object has already. */
  taken: string[];
  /** What was typed of the word, and where it begins; a quote belongs to it. */
  word: string;
  start: number;
}

interface Level {
  isList: boolean;
  /** Where its bracket stands. */
  open: number;
  key: string | undefined;
  taken: string[];
  /** The key that was read last. */
  current: string | undefined;
  /** Whether a value follows. */
  atValue: boolean;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

export function findContext(text: string, caret: number): JsonContext {
  const levels: Level[] = [];
  let word = '';
  let start = caret;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match && match.index < caret; match = TOKEN.exec(text)) {
    const token = match[0];
    const end = match.index + token.length;
    const level = levels.at(-1);
    const isWord = !/^[{}[\],:]$/.test(token);
    // the caret stands in this word, or at its end
    if (isWord && end >= caret && !(end === caret && /^".*"$/.test(token) && token.length > 1)) {
      word = text.slice(match.index, caret);
      start = match.index;
      break;
    }
    if (token === '{' || token === '[') {
      levels.push({
        isList: token === '[',
        open: match.index,
        key: level && !level.isList ? level.current : undefined,
        taken: [],
        current: undefined,
        atValue: token === '[',
      });
    } else if (token === '}' || token === ']') levels.pop();
    else if (level && token === ',') level.atValue = level.isList;
    else if (level && token === ':') level.atValue = true;
    else if (level && !level.isList && !level.atValue) {
      level.current = token.replaceAll('"', '');
      level.taken.push(level.current);
    }
  }
  const level = levels.at(-1);
  const kindOf = ({ isList, open }: Level): string | undefined => (isList ? undefined : findKind(text, open));
  return {
    steps: levels.slice(1).map((below) => ({ key: below.key, kind: kindOf(below) })),
    rootKind: levels[0] && kindOf(levels[0]),
    place: level && !level.atValue ? 'key' : 'value',
    key: level && !level.isList ? level.current : undefined,
    taken: level?.taken ?? [],
    word,
    start,
  };
}

/** The `kind` of the object that opens at a place. */
function findKind(text: string, open: number): string | undefined {
  let depth = 0;
  let key: string | undefined;
  TOKEN.lastIndex = open;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const token = match[0];
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') {
      depth--;
      if (depth === 0) return undefined;
    } else if (depth === 1 && token.startsWith('"')) {
      if (key === 'kind') return token.replaceAll('"', '');
      key = token.replaceAll('"', '');
    } else if (depth === 1 && token === ',') key = undefined;
  }
  return undefined;
}
