// Search, tabs and copying for the pages of the documentation. Without this script the pages show everything.
(() => {
  const root = document.documentElement;
  const LANGUAGES = ['curl', 'typescript'];
  const MOST = 20;
  /** The kinds of entries by rank: of equal matches, the higher rank comes first. */
  const KINDS = { operation: 4, guide: 4, heading: 2, field: 0 };

  // Set before the body is parsed, so that the page does not jump.
  root.dataset.code = remembered();

  function remembered() {
    try {
      const language = localStorage.getItem('language');
      return LANGUAGES.includes(language) ? language : 'curl';
    } catch {
      return 'curl';
    }
  }

  function show(button) {
    // The samples above change their height: the button stays where it is on the screen.
    const before = button.getBoundingClientRect().top;
    root.dataset.code = button.dataset.show;
    markTabs();
    window.scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
    try {
      localStorage.setItem('language', button.dataset.show);
    } catch {
      // The browser does not store the choice.
    }
  }

  function markTabs() {
    for (const tab of document.querySelectorAll('[data-show]'))
      tab.setAttribute('aria-pressed', String(tab.dataset.show === root.dataset.code));
  }

  async function copy(button) {
    const text = button.closest('figure').querySelector('pre').textContent;
    const done = await copied(text);
    button.textContent = done ? 'Copied' : 'Failed';
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  }

  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Without HTTPS the clipboard is only available through a selection.
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done;
    }
  }

  /** Operations and objects were parts of the page at `/docs`: links to them lead to their pages. */
  function leadOn() {
    const anchor = decodeURIComponent(location.hash.slice(1));
    if (location.pathname !== '/docs' || anchor === '' || document.getElementById(anchor)) return;
    const [name] = anchor.split('.');
    const page =
      name.startsWith('schema-') || name === 'objects' ? '/docs/objects' : `/docs/operations/${name}`;
    if (![...document.querySelectorAll('nav a')].some((link) => link.pathname === page)) return;
    location.replace(
      anchor === 'objects' || (anchor === name && page !== '/docs/objects') ? page : `${page}#${anchor}`,
    );
  }

  /** A link to an object, or into one, opens it. */
  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = target?.closest('details:not([open])');
    if (!closed) return;
    closed.open = true;
    target.scrollIntoView();
  }

  let entries;
  let selected = -1;
  const input = () => document.getElementById('search');
  const list = () => document.getElementById('found');

  async function load() {
    entries ??= fetch('/docs/search.json').then((answer) => answer.json());
    try {
      return await entries;
    } catch {
      // The next search tries again.
      entries = undefined;
      return [];
    }
  }

  async function search() {
    const words = input().value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return close();
    const all = await load();
    const scored = [];
    for (const [index, entry] of all.entries()) {
      const score = scoreOf(entry, words);
      if (score > 0) scored.push([score, index, entry]);
    }
    scored.sort(([a, before], [b, after]) => b - a || before - after);
    render(scored.slice(0, MOST).map(([, , entry]) => entry));
  }

  /** 0 unless each word is somewhere in the entry. */
  function scoreOf([title, , context, kind], words) {
    const name = title.toLowerCase();
    const whole = `${name} ${context.toLowerCase()}`;
    let score = KINDS[kind] + 1;
    for (const word of words) {
      if (!whole.includes(word)) return 0;
      if (name === word) score += 12;
      else if (name.startsWith(word)) score += 6;
      else if (name.includes(word)) score += 3;
    }
    return score;
  }

  function render(found) {
    selected = found.length > 0 ? 0 : -1;
    list().replaceChildren(...(found.length > 0 ? found.map(row) : [nothing()]));
    list().hidden = false;
    input().setAttribute('aria-expanded', 'true');
    select(selected);
  }

  function row([title, url, context], index) {
    const item = document.createElement('li');
    item.id = `found-${index}`;
    item.setAttribute('role', 'option');
    const link = document.createElement('a');
    link.href = url;
    link.tabIndex = -1;
    link.append(title);
    const small = document.createElement('small');
    small.append(context);
    link.append(small);
    item.append(link);
    return item;
  }

  function nothing() {
    const item = document.createElement('li');
    item.className = 'none';
    item.append('Nothing found');
    return item;
  }

  function select(index) {
    const rows = [...list().querySelectorAll('[role=option]')];
    if (rows.length === 0) return input().removeAttribute('aria-activedescendant');
    selected = (index + rows.length) % rows.length;
    for (const [at, one] of rows.entries()) one.setAttribute('aria-selected', String(at === selected));
    rows[selected].scrollIntoView({ block: 'nearest' });
    input().setAttribute('aria-activedescendant', rows[selected].id);
  }

  function close() {
    list().hidden = true;
    input().setAttribute('aria-expanded', 'false');
    input().removeAttribute('aria-activedescendant');
  }

  function onSearchKey(event) {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Enter') list().querySelectorAll('[role=option] a')[selected]?.click();
    else if (event.key === 'Escape') {
      close();
      input().blur();
      return;
    } else return;
    event.preventDefault();
  }

  document.addEventListener('keydown', (event) => {
    if (event.target === input()) return onSearchKey(event);
    const typing = event.target.closest?.('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input().focus();
    input().select();
  });
  document.addEventListener('input', (event) => {
    if (event.target === input()) void search();
  });
  document.addEventListener('focusin', (event) => {
    if (event.target === input()) void load();
  });
  document.addEventListener('click', (event) => {
    const { target } = event;
    const tab = target.closest('[data-show]');
    if (tab) return show(tab);
    const button = target.closest('.copy');
    if (button) return void copy(button);
    const link = target.closest('a');
    if (!target.closest('.search') || link) close();
    // On a phone the menu covers the page.
    if (link?.closest('nav')) document.getElementById('menu').checked = false;
    if (link?.hash && link.hash === location.hash) openTarget();
  });
  document.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('DOMContentLoaded', () => {
    markTabs();
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
    leadOn();
    openTarget();
  });
  window.addEventListener('hashchange', openTarget);
})();
