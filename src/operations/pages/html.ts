/** Text that is HTML already. Only {@link html} and {@link raw} make it, so that nothing is shown unescaped by mistake. */
export class Html {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What a template may hold: text is escaped, HTML is not; of null, undefined and false nothing is shown. */
export type Shown = Html | string | number | null | undefined | false | readonly Shown[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** `` html`<b>${name}</b>` `` with every value escaped, for text and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: Shown[]): Html {
  return new Html(parts.reduce((text, part, index) => text + shown(values[index - 1]) + part));
}

/** For text of our own alone, such as a style sheet. */
export function raw(text: string): Html {
  return new Html(text);
}

function shown(value: Shown): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(shown).join('');
  return String(value).replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '');
}

/** An address on our own pages; parameters that are null are left out. */
export function address(path: string, parameters: Record<string, string | null | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
