// The search box of every page. The text of the site is a script, fetched at the first key: pages opened from disk may not fetch data.
const box = document.querySelector('.search input');
const list = document.querySelector('.search ol');
const prefix = document.querySelector('.search').dataset.prefix;
const MOST = 12;
let stretches;
let chosen = 0;

function load() {
  stretches ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.src = `${prefix}search-data.js`;
    script.onload = () => resolve(globalThis.NEXDYN_TEXT);
    document.head.append(script);
  });
  return stretches;
}

/** Places where all words stand, those in titles and headings first. */
function find(all, words) {
  const hits = [];
  for (const [address, title, heading, text] of all) {
    const [name, page, body] = [heading.toLowerCase(), title.toLowerCase(), text.toLowerCase()];
    let score = 0;
    for (const word of words) {
      const here =
        (name === word
          ? 40
          : name.endsWith(`.${word}`)
            ? 25
            : name.startsWith(word)
              ? 20
              : name.includes(word)
                ? 12
                : 0) + (page.includes(word) ? 4 : 0);
      if (here === 0 && !body.includes(word)) {
        score = 0;
        break;
      }
      score += here + Math.min(3, body.split(word).length - 1);
    }
    if (score > 0) hits.push({ address, title, heading, text, score });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, MOST);
}

/** The words around the first one that was looked for. */
function quote(text, words) {
  const low = text.toLowerCase();
  const at = Math.min(...words.map((word) => low.indexOf(word)).filter((place) => place >= 0), text.length);
  const from = at === text.length ? 0 : Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 30)));
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 110).trim()}`;
}

function show(hits, words) {
  chosen = 0;
  list.replaceChildren(
    ...hits.map(({ address, title, heading, text }, i) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      const where = document.createElement('b');
      const what = document.createElement('span');
      link.href = prefix + address;
      where.textContent = heading === title ? title : `${title} › ${heading}`;
      what.textContent = quote(text, words);
      link.append(where, what);
      item.append(link);
      item.className = i === 0 ? 'chosen' : '';
      return item;
    }),
  );
  if (hits.length === 0 && words.length > 0)
    list.append(Object.assign(document.createElement('li'), { className: 'none', textContent: 'Nothing found' }));
  list.hidden = words.length === 0;
}

box.addEventListener('input', async () => {
  const all = await load();
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  show(words.length > 0 ? find(all, words) : [], words);
});
box.addEventListener('keydown', (event) => {
  const items = [...list.querySelectorAll('li:not(.none)')];
  if (event.key === 'Escape') {
    box.value = '';
    show([], []);
    box.blur();
  } else if (event.key === 'Enter') items[chosen]?.querySelector('a').click();
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    if (items.length === 0) return;
    items[chosen].className = '';
    chosen = (chosen + (event.key === 'ArrowDown' ? 1 : items.length - 1)) % items.length;
    items[chosen].className = 'chosen';
    items[chosen].scrollIntoView({ block: 'nearest' });
  }
});
list.addEventListener('click', () => show([], []));
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) show([], []);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /INPUT|TEXTAREA/.test(document.activeElement?.tagName ?? '')) return;
  event.preventDefault();
  box.focus();
});
