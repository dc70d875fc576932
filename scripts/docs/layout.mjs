// The frame around every page: navigation, the page, what is on it.
import { escapeHtml } from './highlight.mjs';

/** Before anything is drawn: the theme the reader chose last. */
const THEME_SCRIPT = `try{const t=localStorage.getItem('nexdyn-theme');if(t)document.documentElement.dataset.theme=t}catch{}`;

const PAGE_SCRIPT = `
document.querySelector('.theme').addEventListener('click',()=>{
  const root=document.documentElement;
  const dark=root.dataset.theme?root.dataset.theme==='dark':matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme=dark?'light':'dark';
  try{localStorage.setItem('nexdyn-theme',root.dataset.theme)}catch{}
});
const menu=document.querySelector('.menu');
const openMenu=(open)=>{
  document.body.classList.toggle('open',open);
  menu.setAttribute('aria-expanded',String(open));
};
menu.addEventListener('click',()=>openMenu(!document.body.classList.contains('open')));
document.addEventListener('keydown',(event)=>{if(event.key==='Escape')openMenu(false)});`;

/** Keeps the site for visits without a network. */
const OFFLINE_SCRIPT = `
const manifest=document.querySelector('link[rel=manifest]');
if(manifest&&'serviceWorker' in navigator)navigator.serviceWorker.register(new URL('service-worker.js',manifest.href)).catch(()=>{});`;

/** A whole page. `prefix` leads from its folder to the root of the site. */
export function layOut({ title, html, headings, target, sections, prefix = '', hasStudio = false }) {
  const isHome = target === 'index.html';
  const contents = headings.filter(({ level }) => level === 2 || (level === 3 && headings.length < 40));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(isHome ? 'NexDyn' : `${title} · NexDyn`)}</title>
<script>${THEME_SCRIPT}</script>
${html.includes('class="katex"') ? `<link rel="stylesheet" href="${prefix}katex/katex.css">\n` : ''}<link rel="stylesheet" href="${prefix}style.css">
${hasStudio ? `<link rel="icon" href="${prefix}studio/icon.svg" type="image/svg+xml">\n<link rel="manifest" href="${prefix}manifest.webmanifest">\n` : ''}${html.includes('<nexdyn-scene') ? `<script type="module" src="${prefix}studio/nexdyn-scene.js"></script>\n` : ''}</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header><button class="menu" aria-expanded="false" aria-controls="sections">Menu</button><a class="home" href="${prefix}index.html">NexDyn</a>
<div class="search" data-prefix="${prefix}"><input type="search" placeholder="Search  /" aria-label="Search the documentation"><ol hidden></ol></div>
<button class="theme" aria-label="Dark or light">◐</button></header>
<nav id="sections" aria-label="Pages">
${sections.map((section) => renderSection(section, target, prefix)).join('\n')}
</nav>
<main id="page">
${html}${renderPager(sections, target)}</main>
${contents.length > 1 ? renderContents(contents) : ''}
<script>${PAGE_SCRIPT}${hasStudio ? OFFLINE_SCRIPT : ''}</script>
<script src="${prefix}search.js"></script>
</body>
</html>
`;
}

function renderSection({ title, pages }, target, prefix) {
  const items = pages.map((page) => {
    const isCurrent = page.target === target ? ' aria-current="page"' : '';
    return `<li><a href="${prefix}${page.target}"${isCurrent}>${escapeHtml(page.label)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${items.join('')}</ul>`;
}

/** The pages before and after, in the order of the navigation. */
function renderPager(sections, target) {
  const pages = sections.flatMap((section) => section.pages);
  const place = pages.findIndex((page) => page.target === target);
  if (place < 0) return '';
  const link = (page, side, words) =>
    page ? `<a rel="${side}" href="${page.target}">${words(escapeHtml(page.label))}</a>` : '';
  return `<div class="pager">${link(pages[place - 1], 'prev', (label) => `← ${label}`)}${link(pages[place + 1], 'next', (label) => `${label} →`)}</div>\n`;
}

function renderContents(contents) {
  const items = contents.map(
    ({ level, text, anchor }) => `<li class="level${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`;
}
