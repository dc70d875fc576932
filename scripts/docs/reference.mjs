// The reference of a package as HTML: every export by folder, with signature, comment and members.
import { dirname, join, relative } from 'node:path';
import { listExports } from './declarations.mjs';
import { escapeHtml, highlight } from './highlight.mjs';

/** Headings of the folders of the engine, in the order in which a user meets them. */
const TOPICS = {
  '': undefined,
  scene: 'Scene',
  model: 'Model',
  state: 'State',
  dynamics: 'Energy, momentum, workspace',
  collision: 'Contacts and queries',
  formulation: 'Formulations and reports',
  diagnostics: 'Diagnostics',
  readout: 'Poses and joints by name',
  soft: 'Soft bodies',
  term: 'Energy terms',
  parts: 'Parts of the engine',
  objective: 'The convex problem',
  minimize: 'Minimisers',
  geometry: 'Geometry',
  kernels: 'Memory',
  error: 'Errors',
  mjcf: 'MJCF',
  urdf: 'URDF',
  'scene-json': 'JSON',
  mesh: 'Meshes',
  image: 'Images',
  recording: 'Recordings',
  'contact-problem': 'Contact problems',
};
const ORDER = Object.keys(TOPICS);

/** Reads the exports of packages: { ...package, symbols }. */
export function readPackages(packages, root) {
  return packages.map((entry) => {
    const file = join(root, entry.entry);
    return { ...entry, file, symbols: listExports(file) };
  });
}

/** One page: { html, headings, title }. `all` are the packages whose names become links. */
export function renderReference(entry, all) {
  const targets = new Map();
  for (const { symbols, target } of [...all].reverse()) {
    for (const { name } of symbols) targets.set(name, `${target}#${name}`);
  }
  const linkOf = (self) => (name) => (name === self ? undefined : targets.get(name));
  const base = dirname(entry.file);
  const groups = new Map();
  for (const symbol of entry.symbols) {
    const [folder, ...rest] = relative(base, symbol.file).split('/');
    const topic = rest.length > 0 ? folder : folder === 'error.d.ts' ? 'error' : '';
    groups.set(topic, [...(groups.get(topic) ?? []), symbol]);
  }
  const topics = [...groups.keys()].sort((a, b) => rank(a) - rank(b));
  const headings = [{ level: 1, text: entry.name, anchor: 'top' }];
  let html = `<h1 id="top">${escapeHtml(entry.name)}</h1>\n<p>${inline(entry.summary)} ${entry.symbols.length} exports.</p>\n`;
  for (const topic of topics) {
    const title = TOPICS[topic] ?? (topic || entry.topic);
    const anchor = `topic-${topic || 'main'}`;
    headings.push({ level: 2, text: title, anchor });
    html += `<h2 id="${anchor}">${escapeHtml(title)}</h2>\n`;
    html += `<p class="names">${groups
      .get(topic)
      .map(({ name }) => `<a href="#${name}"><code>${name}</code></a>`)
      .join(' ')}</p>\n`;
    for (const symbol of groups.get(topic)) html += renderSymbol(symbol, linkOf(symbol.name));
  }
  return { html, headings, title: entry.name };
}

function rank(topic) {
  const place = ORDER.indexOf(topic);
  return place < 0 ? ORDER.length : place;
}

function renderSymbol({ name, kind, doc, text, members }, linkOf) {
  const head = members.length > 0 ? text.slice(0, text.indexOf('{', text.indexOf(name))).trim() : text;
  // a bare head says nothing that the heading does not
  const code = head === `${kind} ${name}` ? '' : highlight(dedent(head), 'ts', linkOf);
  return `<section class="symbol" id="${name}">
<h3><code>${name}</code> <small>${kind}</small></h3>
${renderDoc(doc)}${code && `<pre class="code" tabindex="0"><code>${code}</code></pre>\n`}${members.length > 0 ? renderMembers(name, members, linkOf) : ''}</section>\n`;
}

function renderMembers(owner, members, linkOf) {
  const names = members.map(({ name }) => name);
  const rows = members.map(({ name, text, doc }, i) => {
    // overloads share the address of the first
    const id = names.indexOf(name) === i ? ` id="${owner}.${escapeHtml(name)}"` : '';
    return `<dt${id}><code>${highlight(dedent(text), 'ts', linkOf)}</code></dt><dd>${doc ? inline(doc) : ''}</dd>`;
  });
  return `<dl class="members">${rows.join('\n')}</dl>\n`;
}

function renderDoc(doc) {
  if (!doc) return '';
  // paragraphs; lines that are set off are formulas or tables
  return doc
    .split(/\n\s*\n/)
    .map((part) => (/^ {2,}/m.test(part) ? `<pre>${escapeHtml(part)}</pre>` : `<p>${inline(part)}</p>`))
    .join('\n');
}

function inline(text) {
  return escapeHtml(text.replace(/\s*\n\s*/g, ' ')).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Without the indentation that all lines but the first share. */
function dedent(text) {
  const lines = text.split('\n');
  const depths = lines
    .slice(1)
    .filter((line) => line.trim())
    .map((line) => /^ */.exec(line)[0].length);
  const depth = depths.length > 0 ? Math.min(...depths) : 0;
  const last = lines.at(-1).trim();
  const shift = lines.length > 1 && /^[}\])]/.test(last) ? depth : Math.max(0, depth - 4);
  return [lines[0], ...lines.slice(1).map((line) => line.slice(Math.min(shift, /^ */.exec(line)[0].length)))].join(
    '\n',
  );
}
