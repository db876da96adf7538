import { ONLY_ATTEMPT, withAttempt } from '../../src/domain/attempt-variables.js';
import { callAttemptOf } from '../../src/domain/campaigns/decide/call-attempt.js';
import { forEachField } from '../../src/domain/contact-fields.js';
import { type ContactForPrompt, renderTemplate } from '../../src/domain/template.js';
import { ended } from './campaigns/support/decided.js';
import { definitionOf, step } from './campaigns/support/definitions.js';
import { before, DAY, HOUR, NOW } from './support/facts.js';

const CONTACT: ContactForPrompt = {
  contactId: 'c',
  phoneNumber: '+14155550100',
  ...forEachField(() => null),
  name: 'Ada',
  customProperties: {},
};
const TEMPLATE =
  '{{attempt.number}} {{attempt.isLast}} {{previous.outcome}} {{previous.disposition | none}} {{previous.data.topic}}';
const rendered = (variables: Record<string, unknown>) => renderTemplate(TEMPLATE, CONTACT, variables);

test('a triggered call is the only attempt', () => {
  expect(rendered(withAttempt({}, ONLY_ATTEMPT))).toEqual({
    text: '1 true  none ',
    unknownPlaceholders: ['previous.outcome', 'previous.data.topic'],
  });
});

test('a call after another', () => {
  const previous = { outcome: 'completed', disposition: 'later', data: { topic: 'price' } };
  const variables = withAttempt({ order: 7 }, { number: 2, isLast: false, previous });
  expect(variables).toEqual({ order: 7, attempt: { number: 2, isLast: false }, previous });
  expect(rendered(variables)).toEqual({ text: '2 false completed later price', unknownPlaceholders: [] });
});

test('a variable of the customer takes precedence, also if its key has a dot', () => {
  const sent = { attempt: { number: 'ours' }, 'previous.outcome': 'theirs' };
  const variables = withAttempt(sent, ONLY_ATTEMPT);
  expect(variables).toEqual(sent);
  expect(rendered(variables).text).toBe('ours  theirs none ');
});

describe('the attempt of a campaign’s call', () => {
  const attemptOf = (definition: object, attempts = [] as ReturnType<typeof ended>[], stepKey = 'first') =>
    callAttemptOf(definitionOf(definition), attempts, { stepKey, callback: false }, NOW);
  const noAnswer = ended('no_answer', before(HOUR));

  test('retries, a next step and a cap decide whether it is the last', () => {
    const retried = { steps: [step('first', { retry: { no_answer: ['P1D'] } })] };
    expect(attemptOf(retried)).toEqual({ number: 1, isLast: false, previous: null });
    expect(attemptOf(retried, [noAnswer])).toEqual({
      number: 2,
      isLast: true,
      previous: { outcome: 'no_answer', disposition: null, data: null },
    });
    expect(attemptOf({ ...retried, caps: { maxAttempts: 1 } })).toMatchObject({ isLast: true });
    const steps = [step('first'), step('second')];
    expect(attemptOf({ steps })).toMatchObject({ isLast: false });
    expect(attemptOf({ steps }, [noAnswer], 'second')).toMatchObject({ number: 2, isLast: true });
    expect(attemptOf({ steps: [step('first')] })).toMatchObject({ isLast: true });
  });

  test('calls that were not dialed do not count', () => {
    const undialed = ended('not_dialed', NOW, { processedAt: null });
    const result = { recordedAt: NOW, disposition: 'later', callbackAt: null, data: { topic: 'price' } };
    const talked = ended('completed', before(DAY), { result });
    expect(attemptOf({ steps: [step('first')] }, [talked, undialed])).toMatchObject({
      number: 2,
      previous: { outcome: 'completed', disposition: 'later', data: { topic: 'price' } },
    });
  });
});
