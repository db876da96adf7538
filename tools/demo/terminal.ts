const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof CODES;

/** Longest line of JSON before it is broken up. */
const WIDTH = 110;

// Says no for NO_COLOR and for a dumb terminal; what is no terminal has no such method.
const coloured = process.stdout.isTTY && process.stdout.hasColors();

/** The text in a colour, on a terminal with colours. */
export function styled(style: Style, text: string): string {
  return coloured ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/** The colour that tells success, a refusal and a mistake apart at a glance. */
export function statusStyle(status: number): Style {
  if (status < 300) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

/** JSON as people write it: what fits on a line stays on it. */
export function readableJson(value: unknown, indent = '', used = 0): string {
  const flat = onOneLine(value);
  if (indent.length + used + flat.length <= WIDTH || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const lines = Array.isArray(value)
    ? value.map((item) => inner + readableJson(item, inner))
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `;
        return inner + name + readableJson(item, inner, name.length);
      });
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Every line of a text moved to the right. */
export function indented(text: string, by = '    '): string {
  return text.replace(/^/gm, by);
}
