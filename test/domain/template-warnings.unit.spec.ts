import { forEachField } from '../../src/domain/contact-fields.js';
import {
  propertiesNamedIn,
  warningsAboutScript,
  warningsAboutTemplates,
} from '../../src/domain/template-warnings.js';

const contact = {
  contactId: '7f0c3d1e-9a54-4a39-8a1b-5d3f1c2b6e90',
  phoneNumber: '+14155552671',
  ...forEachField(() => null),
  name: 'Ada Lovelace',
  companyName: '  ',
  customProperties: { plan: 'gold', nmae: 'Ada' },
};

function texts(promptTemplate: string, properties: string[] | null = null): string[] {
  const templates = { promptTemplate, firstMessageTemplate: '' };
  const known = {
    hasContacts: properties !== null,
    has: (name: string) => properties?.includes(name) ?? false,
  };
  return warningsAboutTemplates(templates, known).map(({ key, text }) => {
    expect(key).toBe('promptTemplate');
    return text;
  });
}

describe('warnings where the agent is written', () => {
  test.each([
    'Hello {{contact.name}}, {{ contact . email }}, {{contact}}',
    'About {{topic}} and {{order.items.0}} of {{first_name}}',
    '{{contact.plan}} {{contact.address.city}}',
    '{{externalId}} {{contact.externalId}}',
    '{{contact.name | there}} {{topic | }}',
    '{"a":{"b":"{{topic}}"}} {contact us} {{{topic}}}',
    '',
  ])('none about %j', (template) => {
    expect(texts(template)).toEqual([]);
  });

  test.each([
    ['Hi {{contact.name', '{{contact.name'],
    ['Hi {{contact.name}, about {{topic}}', '{{contact.name}, about'],
    ['Hi {{ {{topic}}', '{{'],
    ['Hi {{}}', '{{}}'],
    ['Hi {{contact.\nname}}', '{{contact. name}}'],
    ['Hi {{ | there }}', '{{ | there }}'],
    ['Hi {contact.name}', '{contact.name}'],
    ['Hi {contact.name}}', '{contact.name}}'],
  ])('a placeholder that is not closed or has no name: %j', (template, quoted) => {
    const [text, ...more] = texts(template);
    expect(more).toEqual([]);
    expect(text).toContain(quoted);
    expect(text).toContain('as it stands');
  });

  test.each([
    ['{{contact.nmae}}', '{{contact.name}}'],
    ['{{contact.Name}}', '{{contact.name}}'],
    ['{{contact.company_name}}', '{{contact.companyName}}'],
    ['{{contact.emial}}', '{{contact.email}}'],
    ['{{contact.full_name | there}}', '{{contact.fullName}}'],
    ['{{name}}', '{{contact.name}}'],
    ['{{email}}', '{{contact.email}}'],
    ['{{contact_name}}', '{{contact.name}}'],
    ['{{contactName}}', '{{contact.name}}'],
    ['{{Contact.name}}', '{{contact.name}}'],
    ['{{contact_id}}', '{{contact.contactId}}'],
    ['{{Contact}}', '{{contact}}'],
  ])('an unknown placeholder %s names %s', (template, meant) => {
    expect(texts(template)).toEqual([expect.stringContaining(meant)]);
  });

  test('a part of a field is always empty', () => {
    expect(texts('{{contact.name.first}}')).toEqual([expect.stringContaining('has no parts')]);
  });

  test('a custom property is unknown only if the team has contacts and none of them has it', () => {
    expect(texts('{{contact.plan}}', null)).toEqual([]);
    expect(texts('{{contact.plan}}', ['plan'])).toEqual([]);
    expect(texts('{{contact.plan.name}}', ['plan'])).toEqual([]);
    expect(texts('{{contact.nmae}}', ['nmae'])).toEqual([]);
    expect(texts('{{contact.plan}}', [])).toEqual([expect.stringContaining('newest contacts')]);
  });

  test('the default of another template language', () => {
    expect(texts('{{topic | default: "it"}}')).toEqual([expect.stringContaining('default: "it"')]);
  });

  test('each template by its name, each text once, and at most 20', () => {
    const templates = { promptTemplate: '{{name}}{{name}}', firstMessageTemplate: '{{name}}' };
    const none = { hasContacts: false, has: () => false };
    expect(warningsAboutTemplates(templates, none).map(({ key }) => key)).toEqual([
      'promptTemplate',
      'firstMessageTemplate',
    ]);
    const many = Array.from({ length: 100 }, (_, n) => `{{contact.name.${n}}}`).join('');
    expect(texts(many)).toHaveLength(20);
  });
});

test('the custom properties that templates name', () => {
  const named = propertiesNamedIn({
    promptTemplate: '{{contact.name}}{{contact.plan}}{{topic}}{{ contact . address . city }}',
    firstMessageTemplate: '{{contact.plan | none}}{{contact}}',
  });
  expect(named).toEqual(['plan', 'address', 'address.city']);
});

describe('warnings in a dry run', () => {
  const script = (promptTemplate: string) =>
    warningsAboutScript(
      { promptTemplate, firstMessageTemplate: '' },
      { contact, variables: { topic: 'renewal', blank: ' ' } },
    ).map(({ text }) => text);

  test('none about values that are there, and about those with a default', () => {
    expect(script('{{contact.name}}{{topic}}{{contact.plan}}{{contact.nmae}}')).toEqual([]);
    expect(script('{{contact.email | none}}{{hat | none}}{{hat |}}')).toEqual([]);
  });

  test.each([
    ['{{contact.email}}', 'is empty in this call'],
    ['{{contact.companyName}}', 'is empty in this call'],
    ['{{blank}}', 'is empty in this call'],
    ['{{hat}}', 'has no value in this call'],
    ['{{contact.hat}}', 'has no value in this call'],
    ['{{contact.emial}}', 'The field is {{contact.email}}'],
    ['{{topic', 'is not closed'],
  ])('%s %s', (template, text) => {
    expect(script(template)).toEqual([expect.stringContaining(text)]);
  });
});
