// Reads compiled declarations (.d.ts): what a package exports, with its comments. Declarations have no bodies, so a
// scanner of brackets is enough; no compiler is needed.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Everything that an entry file exports, in its order: { name, kind, doc, text, members, file }.
 * `text` is the declaration without `export declare`; classes, interfaces and namespaces have members { name, doc, text }.
 */
export function listExports(entry) {
  const found = new Map();
  visit(entry, () => true, found);
  for (const symbol of found.values()) {
    if (symbol.kind === 'class') symbol.members = [...symbol.members, ...listInherited(symbol, found)];
  }
  return [...found.values()];
}

/** Members that a class inherits from classes that are not exported: users find them nowhere else. */
function listInherited({ text, file, members }, exported) {
  const base = /^(?:abstract )?class [\w$]+(?:<[^{]*>)? extends ([\w$]+)/.exec(text)?.[1];
  if (base === undefined || exported.has(base)) return [];
  const source = readFileSync(file, 'utf8');
  const imported = new RegExp(`import (?:type )?\\{[^}]*\\b${base}\\b[^}]*\\} from '(\\.[^']+)'`).exec(source)?.[1];
  const target = imported ? join(dirname(file), imported.replace(/\.ts$/, '.d.ts')) : file;
  const statement = splitStatements(readFileSync(target, 'utf8')).map((one) => describe(one.text));
  const found = statement.find((one) => one?.kind === 'class' && one.name === base);
  if (!found) return [];
  const names = new Set(members.map(({ name }) => name));
  const own = found.members.filter(
    ({ name, text: member }) => !names.has(name) && !/^(constructor|protected )/.test(member),
  );
  const all = { ...found, file: target, members: [...members, ...own] };
  return [...own, ...listInherited(all, exported)];
}

function visit(file, isWanted, found) {
  for (const { doc, text } of splitStatements(readFileSync(file, 'utf8'))) {
    const forward = /^export (?:type )?(\*|\{[^}]*\})(?: from '([^']+)')?;?$/s.exec(text);
    if (forward) {
      const [, what, specifier] = forward;
      if (specifier?.startsWith('.')) {
        const target = join(dirname(file), specifier.replace(/\.ts$/, '.d.ts'));
        const names = what === '*' ? undefined : listNames(what);
        visit(target, (name) => (names ? names.has(name) : isWanted(name)), found);
      }
      continue;
    }
    const space = /^export \* as ([\w$]+) from '([^']+)';$/.exec(text);
    if (space) {
      const [, name, specifier] = space;
      const members = listExports(join(dirname(file), specifier.replace(/\.ts$/, '.d.ts')));
      if (isWanted(name))
        found.set(name, { name, kind: 'namespace', doc, text: `namespace ${name} {}`, members, file });
      continue;
    }
    const declaration = describe(text);
    if (!declaration || !isWanted(declaration.name)) continue;
    const known = found.get(declaration.name);
    // a value and a type of one name stand together, and so do overloads
    if (known && known.file === file) known.text += `\n${declaration.text}`;
    else if (!known) found.set(declaration.name, { ...declaration, doc, file });
  }
}

/** Names in `{ A, type B, C as D }`, as they are called where they come from. */
function listNames(clause) {
  const names = clause.slice(1, -1).split(',');
  return new Set(
    names
      .map(
        (name) =>
          name
            .trim()
            .replace(/^type /, '')
            .split(' as ')[0],
      )
      .filter(Boolean),
  );
}

function describe(text) {
  const match = /^export (?:declare )?(?:abstract )?(class|interface|type|function|const|let)\s+([\w$]+)/.exec(text);
  if (!match) return undefined;
  const [, kind, name] = match;
  const plain = text.replace(/^export (?:declare )?/, '');
  const hasMembers = kind === 'class' || kind === 'interface';
  return { name, kind, text: plain, members: hasMembers ? listMembers(plain) : [] };
}

/** Members of a class or interface. */
function listMembers(text) {
  const body = text.slice(text.indexOf('{', findHeadEnd(text)) + 1, text.lastIndexOf('}'));
  return splitStatements(body)
    .filter(({ text: member }) => !/^(private |protected |#)/.test(member))
    .map(({ doc, text: member }) => {
      const name = /^(?:static |readonly |get |set |abstract |override )*(\[[^\]]*\]|[\w$]+)/.exec(member)?.[1] ?? '';
      return { name, doc, text: member.replace(/;$/, '') };
    });
}

/** Where the body of a class or interface can begin: after the brackets of type parameters. */
function findHeadEnd(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '<') depth++;
    else if (text[i] === '>' && text[i - 1] !== '=') depth--;
    else if (text[i] === '{' && depth === 0) return i;
  }
  return 0;
}

/** Statements of a text, each with the comment before it. */
export function splitStatements(source) {
  const statements = [];
  let doc = '';
  let start = -1;
  let depth = 0;
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (c === '/' && source[i + 1] === '*') {
      const end = source.indexOf('*/', i + 2) + 2;
      if (start < 0 && source.startsWith('/**', i)) doc = cleanComment(source.slice(i, end));
      i = end - 1;
      continue;
    }
    if (c === '/' && source[i + 1] === '/') {
      i = source.indexOf('\n', i) < 0 ? source.length : source.indexOf('\n', i);
      continue;
    }
    if (start < 0) {
      if (/\s/.test(c)) continue;
      start = i;
    }
    if (c === "'" || c === '"' || c === '`') {
      for (i++; i < source.length && source[i] !== c; i++) if (source[i] === '\\') i++;
      continue;
    }
    if ('{([<'.includes(c)) depth++;
    else if ('})]'.includes(c) || (c === '>' && source[i - 1] !== '=')) depth--;
    if (depth > 0) continue;
    const text = source.slice(start, i + 1);
    const isBlock =
      c === '}' && /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|namespace|enum)\b/.test(text);
    if (c !== ';' && !isBlock) continue;
    // `export {};` marks a module and says nothing
    if (!/^(import\b|export \{\s*\};$)/.test(text)) statements.push({ doc, text });
    doc = '';
    start = -1;
  }
  return statements;
}

/** The words of a comment, without its stars. */
function cleanComment(comment) {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}
