import { createHash } from 'node:crypto';

/** What the keyboard does on every page: `/` goes to the search, unless a person is typing. */
export const KEYS = `addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  const field = document.querySelector('main input[name=q], header input[name=q]');
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});
`;

/** Part of the script's address, as of the style sheet. */
export const KEYS_VERSION = createHash('sha256').update(KEYS).digest('hex').slice(0, 12);
