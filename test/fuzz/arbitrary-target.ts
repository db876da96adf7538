import fc from 'fast-check';
import { type KnownOperation } from '../openapi/conformance.js';
import { validValue, type Values } from './arbitrary-value.js';
import { anyPhoneNumber, id, text } from './hostile.js';

/** The address of an operation with the team's own ids, and now and then a filter that it has. */
export function tameTarget(
  { path, operation }: KnownOperation,
  schemas: Values['schemas'],
): fc.Arbitrary<string> {
  const own = ownIdOf(path);
  const address = path.replace(/{(\w+)}/g, (_, name: string) => `<own.${own[name] ?? name}>`);
  const filters = (operation.parameters ?? []).filter(
    ({ in: place, name }) => place === 'query' && name !== 'cursor',
  );
  const pairs = filters.map(({ name, schema }) =>
    validValue(name, schema, { schemas, tame: true }).map((value) => `${name}=${String(value)}`),
  );
  if (pairs.length === 0) return fc.constant(address);
  return fc.oneof(fc.constant(''), fc.oneof(...pairs)).map((pair) => `${address}?${pair}`);
}

/** The address of an operation, and what it may be mistaken for. */
export function targetOf(
  { path, operation }: KnownOperation,
  schemas: Values['schemas'],
): fc.Arbitrary<string> {
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name = '']) => name);
  const own = ownIdOf(path);
  const number = anyPhoneNumber.map((value) => (value.startsWith('<') ? value : encodeURIComponent(value)));
  const values = names.map((name) => segment(name === 'phoneNumber' ? number : id(own[name] ?? name)));
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const pair = fc.oneof(
    ...parameters.map(({ name, schema }) =>
      fc
        .oneof(
          { weight: 3, arbitrary: validValue(name, schema, { schemas, tame: false }).map(String) },
          queryText,
        )
        .map((value) => `${name}=${value}`),
    ),
    fc.constantFrom(
      'limit[]=1',
      'limit[a]=1',
      '__proto__[x]=1',
      'constructor=1',
      'x',
      '=',
      '&&',
      'limit=1&limit=2',
      '%',
      '%00=%00',
      'cursor=W10',
      'cursor=WyJ4Il0',
      'cursor=WyIyMDI2LTAxLTAxIiwieCJd',
      'status=',
      'limit=0',
      'limit=1e2',
      '#x',
    ),
  );
  const query = fc.oneof(
    { weight: 5, arbitrary: fc.constant('') },
    {
      weight: parameters.length > 0 ? 8 : 1,
      arbitrary: fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => `?${pairs.join('&')}`),
    },
  );
  return fc.tuple(fc.tuple(...values), query).map(([parts, end]) => {
    const left = [...parts];
    return path.replace(/{\w+}/g, () => left.shift() ?? 'x') + end;
  });
}

const queryText = fc.oneof(
  text.filter((value) => value.length < 500).map((value) => encodeURIComponent(wellFormed(value))),
  fc.constantFrom('%', '%zz', '%E0%A4%A', '%00', '%ud800', 'a+b', 'x'.repeat(3_000), 'x'.repeat(20_000)),
);

/** Which of the planted ids an `{id}` is. */
function ownIdOf(path: string): Record<string, string> {
  const kinds: [RegExp, string][] = [
    [/api-keys/, 'spareKeyId'],
    [/phone-numbers/, 'phoneNumberId'],
    [/number-pools/, 'poolId'],
    [/voice-agents/, 'agentId'],
    [/carrier-accounts/, 'carrierAccountId'],
    [/consents/, 'consentId'],
    [/webhook-endpoints/, 'webhookEndpointId'],
    [/webhook-deliveries/, 'webhookDeliveryId'],
    [/campaigns/, 'campaignId'],
    [/resolve$/, 'unknownCallId'],
    [/calls/, 'completedCallId'],
  ];
  return {
    id: kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'teamId',
    callRequestId: path.endsWith('/result') ? 'completedCallId' : 'pendingCallId',
    phoneNumber: path.includes('whitelist')
      ? 'whitelisted'
      : path.startsWith('/api/admin/do-not-call')
        ? 'platform'
        : 'doNotCall',
    enrollmentId: path.endsWith('resume') ? 'pausedEnrollmentId' : 'activeEnrollmentId',
    versionId: path.endsWith('/migrate') ? 'publishedVersionId' : 'draftVersionId',
  };
}

/** One step of an address. */
export function segment(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: valid },
    {
      weight: 1,
      arbitrary: text
        .filter((value) => value.length < 500 && value !== '')
        .map((value) => encodeURIComponent(wellFormed(value))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '%E0%A4%A',
        '%',
        '%zz',
        '%ff',
        '%00',
        '%2F',
        '%2e%2e',
        '..',
        '.',
        '%C0%AF',
        '\xff\xfe',
        'a b',
        '"',
        'x'.repeat(2_000),
        'x'.repeat(15_000),
        'x'.repeat(70_000),
        '%F0%9F%98%80',
        'null',
        '0',
        '-1',
      ),
    },
  );
}

/** An address cannot carry a lone surrogate. */
function wellFormed(value: string): string {
  return value.replace(/\p{Surrogate}/gu, '\ufffd');
}
