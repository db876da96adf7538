import {
  disclosuresOf,
  missingDisclosures,
  withDisclosures,
} from '../../../src/domain/compliance/disclosures.js';
import { caseOf, rule } from '../support/compliance.js';

const NOW = new Date('2026-11-20T15:00:00.000Z');
const say = (id: string, text: string) =>
  rule({ kind: 'disclosure', disclosure: 'identity', texts: { en: text, fr: 'Bonjour.' } }, { id });

const SAID = disclosuresOf(caseOf([say('a', 'Say one.'), say('b', 'Say two.'), say('c', 'Say one.')]), NOW);

test('a call has each sentence once, with the rule that requires it', () => {
  expect(SAID).toEqual([
    { id: 'a', text: 'Say one.' },
    { id: 'b', text: 'Say two.' },
  ]);
  expect(disclosuresOf(null, NOW)).toEqual([]);
});

test('the placeholder has the sentences, and gives way to a variable of its name', () => {
  expect(withDisclosures({ topic: 'x' }, SAID)).toEqual({ disclosures: 'Say one. Say two.', topic: 'x' });
  expect(withDisclosures({ disclosures: 'own' }, SAID)).toEqual({ disclosures: 'own' });
  expect(withDisclosures({ topic: 'x' }, [])).toEqual({ topic: 'x' });
});

test('templates without the placeholder are warned about only where something must be said', () => {
  expect(missingDisclosures(['Hello', ''], SAID)).toContain('a, b');
  expect(missingDisclosures(['Hello', ''], [])).toBeNull();
  for (const template of ['{{disclosures}}', '{{ disclosures }}', '{{disclosures | none}}']) {
    expect(missingDisclosures(['Hello', template], SAID)).toBeNull();
  }
});
