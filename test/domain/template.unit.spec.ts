import { forEachField } from '../../src/domain/contact-fields.js';
import {
  type ContactForPrompt,
  MAX_PLACEHOLDER,
  MAX_VALUES_TEXT,
  renderTemplate,
} from '../../src/domain/template.js';

const ada: ContactForPrompt = {
  contactId: '7f0c3d1e-9a54-4a39-8a1b-5d3f1c2b6e90',
  phoneNumber: '+14155552671',
  ...forEachField(() => null),
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  companyName: 'Analytical Engines',
  externalId: 'crm-4711',
  companyWebsite: 'https://example.com',
  timezone: 'Europe/London',
  customProperties: {
    plan: 'gold',
    'Loan Amount': 1200,
    'konto-stand': '12,50 €',
    größe: 'XL',
    vip: true,
    nothing: null,
    address: { city: 'London', lines: ['1 High St', 'Flat 2'], 'post.code': 'N1' },
    'address.city': 'beats the path',
    'order.v2': { total: 7 },
    name: 'never seen',
    fullName: 'never seen',
    contactId: 'never seen',
  },
};
const noContact: ContactForPrompt = {
  contactId: '7f0c3d1e-9a54-4a39-8a1b-5d3f1c2b6e90',
  phoneNumber: null,
  ...forEachField(() => null),
  customProperties: {},
};
const variables = {
  agenda: 'renewal',
  order: { id: 42, items: [{ sku: 'A-1' }, { sku: 'B-2' }], paid: false },
  contact: 'a variable that shadows nothing',
  empty: null,
  'Next Step': 'call back',
};

const render = (template: string) => renderTemplate(template, ada, variables);
const text = (template: string) => render(template).text;

describe('known placeholders', () => {
  test.each([
    ['{{contact.name}}', 'Ada Lovelace'],
    ['{{contact.fullName}}', 'Ada Lovelace'],
    ['{{contact.contactId}}', '7f0c3d1e-9a54-4a39-8a1b-5d3f1c2b6e90'],
    ['{{contact.email}}', 'ada@example.com'],
    ['{{contact.phoneNumber}}', '+14155552671'],
    ['{{contact.companyName}}', 'Analytical Engines'],
    ['{{contact.companyWebsite}}', 'https://example.com'],
    ['{{contact.timezone}}', 'Europe/London'],
    ['{{contact.externalId}}', 'crm-4711'],
    ['{{contact}}', 'Ada Lovelace'],
    ['{{contact.plan}}', 'gold'],
    ['{{contact.Loan Amount}}', '1200'],
    ['{{contact.konto-stand}}', '12,50 €'],
    ['{{contact.größe}}', 'XL'],
    ['{{contact.vip}}', 'true'],
    ['{{contact.address.lines.1}}', 'Flat 2'],
    ['{{contact.address.post.code}}', 'N1'],
    ['{{contact.address.city}}', 'beats the path'],
    ['{{contact.order.v2.total}}', '7'],
    ['{{contact.address.lines}}', '["1 High St","Flat 2"]'],
    ['{{agenda}}', 'renewal'],
    ['{{order.id}}', '42'],
    ['{{order.paid}}', 'false'],
    ['{{order.items.1.sku}}', 'B-2'],
    ['{{order.items.0}}', '{"sku":"A-1"}'],
    ['{{Next Step}}', 'call back'],
    ['{{  contact.name\t}}', 'Ada Lovelace'],
    ['{{ contact . name }}', 'Ada Lovelace'],
    ['{{\n order . id \n}}', '42'],
  ])('%j becomes %j', (template, expected) => {
    expect(render(template)).toEqual({ text: expected, unknownPlaceholders: [] });
  });

  test('are replaced among text, also adjacent and repeated ones', () => {
    expect(text('Hi {{contact}}{{contact}}, about {{agenda}}.')).toBe(
      'Hi Ada LovelaceAda Lovelace, about renewal.',
    );
  });

  test.each(['contact', 'contact.name', 'contact.email', 'contact.phoneNumber', 'contact.companyName'])(
    '{{%s}} that is null is empty, not unknown',
    (name) => {
      expect(renderTemplate(`[{{${name}}}]`, noContact, {})).toEqual({ text: '[]', unknownPlaceholders: [] });
    },
  );

  test('null properties and variables are empty, not unknown', () => {
    expect(render('[{{contact.nothing}}{{empty}}]')).toEqual({ text: '[]', unknownPlaceholders: [] });
  });
});

describe('unknown placeholders', () => {
  test('become empty and are listed once each, in order of appearance', () => {
    expect(render('a{{zebra}}b{{ contact.hat }}c{{zebra}}d{{agenda}}{{apple}}')).toEqual({
      text: 'abcdrenewal',
      unknownPlaceholders: ['zebra', 'contact.hat', 'apple'],
    });
  });

  test.each([
    'contact.constructor',
    'contact.constructor.name',
    'contact.__proto__',
    'contact.toString',
    'contact.name.length',
    'contact.customProperties',
    'contact.customProperties.plan',
    'contact.address.lines.length',
    'contact.address.lines.map',
    'contact.plan.0',
    'contact.',
    'contact..name',
    'toString',
    '__proto__',
    '__proto__.toString',
    'constructor.constructor',
    'hasOwnProperty',
    'order.items.length',
    'order.items.3.sku',
    'agenda.length',
    '.agenda',
    'agenda.',
    'a b',
  ])('{{%s}}', (name) => {
    expect(render(`<{{${name}}}>`)).toEqual({ text: '<>', unknownPlaceholders: [name] });
  });

  test('a field hides a custom property of its name', () => {
    const contact = { ...ada, customProperties: { name: { first: 'Eve' } } };
    expect(renderTemplate('{{contact.name}}/{{contact.name.first}}', contact, {})).toEqual({
      text: 'Ada Lovelace/',
      unknownPlaceholders: ['contact.name.first'],
    });
  });
});

describe('defaults', () => {
  test.each([
    ['{{contact.name | there}}', 'Ada Lovelace'],
    ['{{contact.hat | there}}', 'there'],
    ['{{hat|there}}', 'there'],
    ['{{ hat  |  a good day  }}', 'a good day'],
    ['{{contact.nothing | there}}', 'there'],
    ['{{empty | there}}', 'there'],
    ['{{blank | there}}', 'there'],
    ['{{order.paid | there}}', 'false'],
    ['{{zero | there}}', '0'],
    ['{{hat | a | b}}', 'a | b'],
    ['{{hat |}}', ''],
    ['{{hat | {contact} }}', '{{hat | {contact} }}'],
    ['{{hat | a\nb}}', '{{hat | a\nb}}'],
    ['{{ | there}}', '{{ | there}}'],
    ['{{|}}', '{{|}}'],
    ['{{hat | contact.name}}', 'contact.name'],
    ['{{__proto__ | there}}', 'there'],
    ['{{contact.constructor | there}}', 'there'],
    ['{{order.items.length | there}}', 'there'],
  ])('%j becomes %j', (template, expected) => {
    const rendered = renderTemplate(template, ada, { ...variables, blank: ' \t\u00a0', zero: 0 });
    expect(rendered).toEqual({ text: expected, unknownPlaceholders: [] });
  });

  test('a value is not rendered again, and neither is a default', () => {
    const values = { a: '{{b | c}}', b: 'leaked' };
    expect(renderTemplate('{{a}}{{x | {b}}}', ada, values).text).toBe('{{b | c}}{{x | {b}}}');
  });

  test('the same name with and without a default', () => {
    expect(render('{{hat}}|{{hat | none}}|{{hat | no hat}}')).toEqual({
      text: '|none|no hat',
      unknownPlaceholders: ['hat'],
    });
  });
});

describe('safety', () => {
  test('values are not rendered again', () => {
    const contact = { ...ada, name: '{{secret}}{{contact.email}}' };
    expect(renderTemplate('{{contact.name}} {{a}}', contact, { a: '{{', secret: 'leaked' }).text).toBe(
      '{{secret}}{{contact.email}} {{',
    );
    expect(
      renderTemplate('{{open}}secret{{close}}', ada, { open: '{{', close: '}}', secret: 'leaked' }).text,
    ).toBe('{{secret}}');
  });

  test.each(['$&', '$1', '$$', '\\1', '%s'])('the value %j is plain text', (value) => {
    expect(renderTemplate('<{{v}}>', ada, { v: value }).text).toBe(`<${value}>`);
  });

  test.each([
    '',
    '{{',
    '}}',
    '{{}}',
    '{{ }}',
    '{ {a} }',
    '{{a',
    'a}}',
    '}}{{',
    '{{a}',
    '{a}}',
    '{{a{b}}',
    '{{a\nb}}',
  ])('a malformed %j is unchanged', (template) => {
    expect(render(template)).toEqual({ text: template, unknownPlaceholders: [] });
  });

  test('braces around or before a placeholder stay', () => {
    expect(text('{{{agenda}}}')).toBe('{renewal}');
    expect(text('{{ {{agenda}} }}')).toBe('{{ renewal }}');
    expect(text('{{x {{agenda}}')).toBe('{{x renewal');
    expect(text('{"a":{"b":"{{agenda}}"}}')).toBe('{"a":{"b":"renewal"}}');
  });

  test('a name over the limit is text', () => {
    const longest = 'n'.repeat(MAX_PLACEHOLDER);
    expect(renderTemplate(`{{${longest}}}`, ada, { [longest]: 'v' }).text).toBe('v');
    expect(renderTemplate(`{{${longest}n}}`, ada, { [`${longest}n`]: 'v' }).text).toBe(`{{${longest}n}}`);
  });

  test('repetitions of a large variable end at the limit, and the result says so', () => {
    const big = { list: 'x'.repeat(MAX_VALUES_TEXT / 4) };
    const result = renderTemplate('{{big.list}}'.repeat(50_000), ada, { big });
    expect(result.text).toHaveLength(MAX_VALUES_TEXT);
    expect(result.unknownPlaceholders).toEqual(['big.list']);
  });

  test('a value beyond the limit is not converted to text', () => {
    let made = 0;
    const big = { toJSON: () => 'x'.repeat(MAX_VALUES_TEXT + (made += 1)) };
    const result = renderTemplate('{{a}}{{b}}{{c}}', ada, { a: big, b: big, c: 'short' });
    expect(result).toEqual({ text: '', unknownPlaceholders: ['a', 'b', 'c'] });
    expect(made).toBe(1);
  });

  test('a value that is not JSON is unknown, and nothing is thrown', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    const odd = { cycle, fn: () => 'called', big: { n: 1n }, sym: Symbol('s') };
    expect(renderTemplate('<{{cycle}}{{fn}}{{big}}{{sym}}>', ada, odd)).toEqual({
      text: '<>',
      unknownPlaceholders: ['cycle', 'fn', 'big', 'sym'],
    });
  });
});

describe('a custom property `externalId`', () => {
  const rendered = (property: unknown, template = '{{ contact.externalId }}') =>
    renderTemplate(template, { ...ada, customProperties: { externalId: property } }, {});

  test.each([
    ['a text', 'a text'],
    [null, ''],
    [7, '7'],
    [{ part: 'x' }, '{"part":"x"}'],
  ])('%j has precedence over the field', (property, expected) => {
    expect(rendered(property)).toEqual({ text: expected, unknownPlaceholders: [] });
  });

  test('has parts, which the field has not', () => {
    expect(rendered({ part: 'x' }, '{{contact.externalId.part}}').text).toBe('x');
    expect(rendered('a text', '{{contact.externalId.part}}').unknownPlaceholders).toEqual([
      'contact.externalId.part',
    ]);
  });
});
