import { unescapeHtml } from '../operations/operations-client.js';

const CONTROL = /<input\b([^>]*)>|<textarea\b([^>]*)>(.*?)<\/textarea>|<select\b([^>]*)>(.*?)<\/select>/gs;

/**
 * The fields of a form as a browser sends them without a press of a named button, and its action.
 *
 * @param fields of which the form has at least one.
 */
export function formFields(
  page: string,
  ...fields: string[]
): { action: string; fields: Record<string, string> } {
  const forms = [...page.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)];
  const form = forms.find(([, , text = '']) => fields.some((name) => text.includes(`name="${name}"`)));
  if (form === undefined) throw new Error(`the page has no form with ${fields.join(' or ')}`);
  const [, action = '', text = ''] = form;
  return { action, fields: fieldsIn(text) };
}

/** The fields in a part of a form. */
export function fieldsIn(text: string): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [, input, area, content = '', select, options = ''] of text.matchAll(CONTROL)) {
    const tag = input ?? area ?? select ?? '';
    const name = attributeOf(tag, 'name');
    if (name === undefined) continue;
    const isChoice = /type="(?:checkbox|radio)"/.test(tag);
    if (isChoice && !/\bchecked\b/.test(tag)) continue;
    // A browser leaves out the first line break of a text area, and sends the others as two characters.
    if (area !== undefined) sent[name] = unescapeHtml(content).replace(/^\n/, '').replaceAll('\n', '\r\n');
    else if (select !== undefined) sent[name] = chosenOf(options);
    else sent[name] = attributeOf(tag, 'value') ?? '';
  }
  return sent;
}

function chosenOf(options: string): string {
  const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, tag = '']) => tag);
  const chosen = all.find((tag) => /\bselected\b/.test(tag)) ?? all[0] ?? '';
  return attributeOf(chosen, 'value') ?? '';
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^|\\s)${name}(?:="([^"]*)")?(?=\\s|/|$)`).exec(tag) ?? [];
  return value === undefined
    ? new RegExp(`\\s${name}(?=\\s|/|$)`).test(tag)
      ? ''
      : undefined
    : unescapeHtml(value);
}
