import fc from 'fast-check';
import { forEachField } from '../../src/domain/contact-fields.js';
import { type ContactForPrompt, renderTemplate } from '../../src/domain/template.js';
import { expectEqual, expectSame } from '../support/compare.js';

const noContact: ContactForPrompt = {
  contactId: '7f0c3d1e-9a54-4a39-8a1b-5d3f1c2b6e90',
  phoneNumber: null,
  ...forEachField(() => null),
  customProperties: {},
};
const ada: ContactForPrompt = {
  ...noContact,
  name: 'Ada Lovelace',
  customProperties: { address: { city: 'London', lines: ['1 High St', 'Flat 2'] } },
};
const variables = { order: { id: 42, items: [{ sku: 'A-1' }] } };

const render = (template: string) => renderTemplate(template, ada, variables);

const seeded = { seed: 20260, numRuns: 300 };
const braceText = fc
  .array(
    fc.oneof(
      fc.constantFrom('{', '}', '{{', '}}', '.', ' ', 'contact', 'name', '\n', '__proto__'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

test('text without an opening pair is unchanged', () => {
  fc.assert(
    fc.property(
      braceText.map((s) => s.replaceAll('{{', '')).filter((s) => !s.includes('{{')),
      (template) => {
        expectEqual(render(template), { text: template, unknownPlaceholders: [] });
      },
    ),
    seeded,
  );
});

test('never throws for any template and variables', () => {
  fc.assert(
    fc.property(braceText, fc.dictionary(fc.string(), fc.anything()), (template, anything) => {
      renderTemplate(template, { ...ada, customProperties: anything }, anything);
    }),
    seeded,
  );
});

test('inherited properties are never rendered', () => {
  const inherited = [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames([])];
  const start = fc.constantFrom(
    '',
    'contact.',
    'contact.address.',
    'order.',
    'order.items.',
    'contact.name.',
  );
  const path = fc.tuple(start, fc.array(fc.constantFrom(...inherited), { minLength: 1, maxLength: 3 }));
  fc.assert(
    fc.property(path, ([prefix, keys]) => {
      const name = prefix + keys.join('.');
      expectEqual(render(`{{${name}}}`), { text: '', unknownPlaceholders: [name] });
    }),
    seeded,
  );
});

test('any key without braces, bars or line breaks can be named', () => {
  const key = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((k) => !/[{}|\r\n]/.test(k) && k.trim() === k && k !== 'contact' && !k.startsWith('contact.'));
  fc.assert(
    fc.property(key, fc.string(), (k, value) => {
      const variable = Object.fromEntries([[k, value]]);
      expectSame(renderTemplate(`{{ ${k} }}`, ada, variable).text, value);
      expectSame(
        renderTemplate(`{{contact.${k}}}`, { ...noContact, customProperties: variable }, {}).text,
        Object.hasOwn(noContact, k) && k !== 'customProperties' ? '' : value,
      );
    }),
    seeded,
  );
});

test('a default replaces exactly a value that is missing, empty or blank', () => {
  const values = fc.oneof(
    fc.constantFrom(undefined, null, '', ' ', '\t \u00a0', 0, false, '{{x}}'),
    fc.string(),
    fc.jsonValue(),
  );
  const fallbacks = fc.string().filter((text) => !/[{}\r\n]/.test(text));
  fc.assert(
    fc.property(values, fallbacks, (value, fallback) => {
      const sent = value === undefined ? {} : { v: value };
      const plain = renderTemplate('{{v}}', ada, sent);
      const expected = plain.text.trim() === '' ? fallback.trim() : plain.text;
      expectEqual(renderTemplate(`{{v|${fallback}}}`, ada, sent), {
        text: expected,
        unknownPlaceholders: [],
      });
    }),
    seeded,
  );
});

test('inherited properties are missing, so that the default is used', () => {
  const inherited = [...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames([])];
  const start = fc.constantFrom('', 'contact.', 'contact.address.', 'order.items.');
  fc.assert(
    fc.property(start, fc.constantFrom(...inherited), (prefix, key) => {
      expectSame(render(`{{${prefix}${key} | none}}`).text, 'none');
    }),
    seeded,
  );
});

test.each([
  '{',
  '{{',
  '}',
  '}}',
  '{{ ',
  '{{a',
  '{{}}',
  '{{a.',
  '{{a}}',
  '{{a|',
  '{{a|b}}',
  'x',
  ' . ',
  '{{ . . }}',
])('1 MB of %j takes linear time', (piece) => {
  const template = piece.repeat(Math.ceil(1_000_000 / piece.length));
  const started = performance.now();
  render(template);
  // A quadratic scan needs minutes; a busy machine needs a few hundred milliseconds.
  expect(performance.now() - started).toBeLessThan(5_000);
});
