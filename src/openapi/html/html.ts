/** Markup, as opposed to text. */
export class Html {
  constructor(readonly markup: string) {}
}

type Part = string | number | Html | readonly Part[] | false | undefined;

/**
 * A template whose values are escaped, unless they are markup themselves. The indents of lines are left out.
 */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    texts.reduce(
      (markup, text, index) =>
        markup + withoutIndent(text) + (index < parts.length ? write(parts[index]) : ''),
      '',
    ),
  );
}

/** Text in which back-ticks mark code, and asterisks mark stressed words. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 0 ? html`${stressed(piece)}` : html`<code>${piece}</code>`));
  return html`${pieces}`;
}

function stressed(text: string): Html[] {
  return text
    .split(/\*([^*]+)\*/)
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<em>${piece}</em>`));
}

/** Removes the indents of the template, which would be a quarter of a page's characters. */
const withoutIndent = (text: string) => text.replace(/\n\s+/g, '\n');

function write(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.markup;
  if (part instanceof Array) return part.map(write).join('');
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
