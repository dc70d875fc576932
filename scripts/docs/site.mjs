// Builds docs/ and the comments of the packages into a static site: plain files with relative links, no server needed.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyFormulaStyle } from './formula.mjs';
import { GALLERY, LIVE_PAGES, listGallery, renderGallery } from './gallery.mjs';
import { escapeHtml, highlight } from './highlight.mjs';
import { layOut } from './layout.mjs';
import { renderMarkdown } from './markdown.mjs';
import { readPackages, renderReference } from './reference.mjs';
import { listStretches } from './search-index.mjs';
import { PACKAGES, SECTIONS } from './site-map.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const IMAGES = new Set(['.png', '.svg', '.jpg', '.gif']);

/** Writes the documentation into a folder, which is replaced; gives the names of its pages. */
export function buildSite(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return writePages(folder);
}

/**
 * Writes the documentation into a folder; gives the names of its pages. `studio` is where the built studio lies: the folder has it as
 * `studio/`, so pages can show running scenes, and there is a gallery.
 */
export function writePages(folder, { studio } = {}) {
  const site = new Site(folder, studio !== undefined);
  const packages = readPackages(PACKAGES, root);
  const pages = listPages();
  if (studio !== undefined) pages[0].pages.push(...LIVE_PAGES);
  const sections = [...pages, { title: 'Reference', pages: PACKAGES }];
  const written = pages.flatMap((section) => section.pages).filter(({ source }) => source !== undefined);
  for (const page of written) site.targetOf.set(page.source, page.target);
  for (const page of written) site.addMarkdown(page, sections);
  if (studio !== undefined) site.addPage({ ...renderGallery(listGallery(root, studio)), target: GALLERY, sections });
  for (const entry of packages) {
    site.addPage({ ...renderReference(entry, packages), target: entry.target, sections });
  }
  site.addLinkedFiles(sections);
  site.addSearch();
  copyFileSync(join(root, 'scripts/docs/style.css'), join(folder, 'style.css'));
  copyFormulaStyle(join(folder, 'katex'));
  return site.written;
}

/** Pages that exist, by section; those of docs/ that have no place stand at the end. */
function listPages() {
  const sections = SECTIONS.map((section) => ({
    ...section,
    pages: section.pages.filter(({ source }) => existsSync(join(root, source))),
  }));
  const placed = new Set(sections.flatMap((section) => section.pages.map(({ source }) => source)));
  const others = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !placed.has(`docs/${name}`))
    .map((name) => ({
      source: `docs/${name}`,
      target: name.replace(/\.md$/, '.html'),
      label: readTitle(`docs/${name}`),
    }));
  return others.length > 0 ? [...sections, { title: 'More', pages: others }] : sections;
}

function readTitle(path) {
  const heading = /^# (.*)$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1] ?? path;
  return heading.replace(/`/g, '');
}

class Site {
  /** Page of the site for a file of the repository. */
  targetOf = new Map();
  written = [];
  #folder;
  #hasStudio;
  /** Other files that pages refer to. */
  #linked = new Set();
  #stretches = [];

  constructor(folder, hasStudio) {
    this.#folder = folder;
    this.#hasStudio = hasStudio;
  }

  write(target, content) {
    const path = join(this.#folder, target);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    this.written.push(target);
  }

  addMarkdown({ source, target }, sections) {
    const text = readFileSync(join(root, source), 'utf8');
    const page = renderMarkdown(this.#hasStudio ? text : dropScenes(text), (link) => this.#moveLink(link, source));
    this.addPage({ ...page, target, sections });
  }

  /** A page that the search box knows. */
  addPage(page) {
    this.#stretches.push(...listStretches(page));
    this.write(page.target, layOut({ ...page, hasStudio: this.#hasStudio }));
  }

  addSearch() {
    writeFileSync(
      join(this.#folder, 'search-data.js'),
      `globalThis.NEXDYN_TEXT = ${JSON.stringify(this.#stretches)};\n`,
    );
    copyFileSync(join(root, 'scripts/docs/search.js'), join(this.#folder, 'search.js'));
  }

  /** Where a link of a page leads on the site: to a page, an image, or the text of a file. */
  #moveLink(link, source) {
    if (/^[a-z]+:|^#/.test(link)) return link;
    const [path, anchor] = link.split('#');
    const file = posix.join(posix.dirname(source), path).replace(/\/$/, '');
    const page = this.targetOf.get(file);
    if (page) return anchor ? `${page}#${anchor}` : page;
    this.#linked.add(file);
    if (IMAGES.has(extname(file))) return `images/${posix.basename(file)}`;
    return `source/${file}.html`;
  }

  /** Images are copied, other files get a page with their text, folders one with their files. */
  addLinkedFiles(sections) {
    for (const file of this.#linked) {
      const path = join(root, file);
      const target = `source/${file}.html`;
      if (IMAGES.has(extname(file))) {
        mkdirSync(join(this.#folder, 'images'), { recursive: true });
        copyFileSync(path, join(this.#folder, 'images', posix.basename(file)));
        continue;
      }
      const prefix = '../'.repeat(target.split('/').length - 1);
      const html = statSync(path).isDirectory() ? this.#listFolder(file, prefix) : renderFile(file);
      const page = { title: file, html, headings: [], target, sections, prefix, hasStudio: this.#hasStudio };
      this.write(target, layOut(page));
    }
  }

  /** The files of a folder, each with a page of its own. */
  #listFolder(folder, prefix) {
    const names = readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
    for (const name of names) this.#linked.add(`${folder}/${name}`);
    const items = names.map(
      (name) => `<li><a href="${prefix}source/${folder}/${name}.html">${escapeHtml(name)}</a></li>`,
    );
    return `<h1>${escapeHtml(folder)}</h1>\n<ul>${items.join('')}</ul>\n`;
  }
}

/** A page without the studio beside it has the words that stand for a running scene. */
function dropScenes(text) {
  return text.replace(/<nexdyn-scene\b[^>]*>([\s\S]*?)<\/nexdyn-scene>/g, '$1');
}

function renderFile(file) {
  const language = { '.ts': 'ts', '.mjs': 'ts', '.json': 'json' }[extname(file)] ?? '';
  const text = readFileSync(join(root, file), 'utf8');
  return `<h1>${escapeHtml(file)}</h1>\n<pre class="code" tabindex="0"><code>${highlight(text, language)}</code></pre>\n`;
}
