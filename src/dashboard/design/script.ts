import { createHash } from 'node:crypto';

/**
 * Shortcuts, which no page depends on: `/` goes to the search field; Escape, or a click beside it, closes a menu of
 * the header.
 */
export const SCRIPT = `'use strict';
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      menu.open = false;
      menu.querySelector('summary').focus();
    }
    return;
  }
  const { target } = event;
  const types = target instanceof Element && target.closest('input, select, textarea, [contenteditable]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || types) return;
  const search = document.querySelector('header input[type="search"]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
});
document.addEventListener('click', (event) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
`;

/** Part of the script's address, so that browsers may keep it until it changes. */
export const SCRIPT_VERSION = createHash('sha256').update(SCRIPT).digest('hex').slice(0, 12);
