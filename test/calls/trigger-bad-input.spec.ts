import { gzipSync } from 'node:zlib';
import { CALL_MESSAGES } from '../support/call-answers.js';
import { bearer, Calling } from '../support/calling.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { postRaw } from '../support/raw-http.js';

// No worker runs here. Nothing in this file is accepted unless the test says so.
const calling = Calling.ofFile();
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(calling.db);
});

const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  postRaw(calling.api, `/api/voice-agents/${caller.agentId}/calls`, body, {
    ...bearer(caller.apiKey),
    ...headers,
  });

const invalid = (message: string) => ({
  status: 400,
  body: { message, reason: 'INVALID_REQUEST', retryable: false },
});
const NUMBER = '"phoneNumber":"+14155550123"';

afterEach(async () => {
  expect(await calling.db.query('SELECT phone_number FROM contacts')).toEqual([]);
  expect(await calling.db.query('SELECT id FROM call_requests')).toEqual([]);
});

test('all bad fields are named in a fixed order; the first one gives the reason', async () => {
  const bad = { email: 'ada', timezone: 'Mars/Olympus', fromPhoneNumber: 'reception', numberPoolId: 7 };
  const email = 'email must be an email address';
  const zone = 'timezone must be an IANA time zone name, such as Europe/Berlin';
  const { FROM_NUMBER_INVALID: from, NUMBER_POOL_INVALID: pool } = CALL_MESSAGES;
  const refused = (reason: string, ...faults: string[]) => ({
    status: 400,
    body: { message: faults.join('; '), reason, retryable: false },
  });
  expect(await post(JSON.stringify({ ...bad, phoneNumber: '+1' }))).toEqual(
    refused('INVALID_REQUEST', 'phoneNumber is not a valid phone number', email, zone, from, pool),
  );
  const { fromPhoneNumber, numberPoolId } = bad;
  const numbers = JSON.stringify({ phoneNumber: '+14155550123', fromPhoneNumber, numberPoolId });
  expect(await post(numbers)).toEqual(refused('FROM_NUMBER_INVALID', from, pool));
});

describe('a field', () => {
  const long = (length: number) => 'x'.repeat(length);
  const INTERNATIONAL =
    'phoneNumber must be in international form, such as +14155552671: the team has no default country';
  test.each<[object, string]>([
    [{}, 'phoneNumber is required'],
    [{ phoneNumber: null }, 'phoneNumber is required'],
    [{ phonenumber: '+14155550123' }, 'phoneNumber is required'],
    [{ phoneNumber: 14155550123 }, 'phoneNumber must be a string'],
    [{ phoneNumber: ['+14155550123'] }, 'phoneNumber must be a string'],
    [{ phoneNumber: { number: '+14155550123' } }, 'phoneNumber must be a string'],
    [{ phoneNumber: true }, 'phoneNumber must be a string'],
    [{ phoneNumber: '' }, 'phoneNumber is required'],
    [{ phoneNumber: '   ' }, 'phoneNumber is required'],
    [{ phoneNumber: long(65) }, 'phoneNumber must be at most 64 characters'],
    [{ phoneNumber: '415 555 0123' }, INTERNATIONAL],
    [{ phoneNumber: '0' }, INTERNATIONAL],
    [{ phoneNumber: '+1 415 555 0123 ext. 5' }, 'phoneNumber must not have an extension'],
    [{ phoneNumber: '+1 415 555 012' }, 'phoneNumber is not a valid phone number'],
    [{ phoneNumber: '+1 000 555 0123' }, 'phoneNumber is not a valid phone number'],
    [{ phoneNumber: '+999123456789' }, 'phoneNumber is not a valid phone number'],
    [{ phoneNumber: '+1 415 555 0123, please' }, 'phoneNumber must be one phone number and nothing else'],
    [
      { phoneNumber: '+1 900 555 0123' },
      'phoneNumber is a premium-rate or shared-cost number, which is never dialed',
    ],
  ])('%j', async (body, message) => {
    // `warnings` are tested in warnings.spec.ts.
    expect(await post(JSON.stringify(body))).toMatchObject(invalid(message));
  });

  test.each<[object, string]>([
    [{ email: 'ada' }, 'email must be an email address'],
    [{ email: 'a@b' }, 'email must be an email address'],
    [{ email: 5 }, 'email must be a string'],
    [{ email: ['a@example.com'] }, 'email must be a string'],
    [{ email: `${long(250)}@example.com` }, 'email must be at most 254 characters'],
    [{ timezone: 'Mars/Olympus' }, 'timezone must be an IANA time zone name, such as Europe/Berlin'],
    [{ timezone: 60 }, 'timezone must be a string'],
    [{ fullName: 7 }, 'fullName must be a string'],
    [{ fullName: { first: 'Ada' } }, 'fullName must be a string'],
    [{ fullName: long(201) }, 'fullName must be at most 200 characters'],
    [{ name: false }, 'name must be a string'],
    [{ fullName: 'Ada', name: [] }, 'name must be a string'],
    [{ companyName: 1 }, 'companyName must be a string'],
    [{ companyName: long(201) }, 'companyName must be at most 200 characters'],
    [{ companyWebsite: {} }, 'companyWebsite must be a string'],
    [{ companyWebsite: long(2049) }, 'companyWebsite must be at most 2048 characters'],
    [{ fromPhoneNumber: 14155550123 }, 'fromPhoneNumber must be a string'],
    [{ fromPhoneNumber: long(65) }, 'fromPhoneNumber must be at most 64 characters'],
    [{ teamId: 'mine' }, 'teamId must be a UUID'],
    [{ teamId: 12 }, 'teamId must be a string'],
    [{ teamId: '00000000-0000-4000-8000-000000000000' }, 'teamId must be the team of the API key'],
  ])('beside a good number: %j', async (fields, message) => {
    const body = JSON.stringify({ phoneNumber: '+14155550123', ...fields });
    expect(await post(body)).toEqual(invalid(message));
  });
});

describe('a body', () => {
  const nested = (levels: number) => `{${NUMBER},"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const invalidUtf8 = Buffer.concat([
    Buffer.from(`{${NUMBER},"x":"`),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}'),
  ]);

  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'The body is empty; it must be a JSON object'],
    ['white space', ' \n ', 'The body is empty; it must be a JSON object'],
    ['text', 'call me', 'The body is not valid JSON'],
    ['a form', 'phoneNumber=%2B14155550123', 'The body is not valid JSON'],
    ['JSON cut short', `{${NUMBER}`, 'The body is not valid JSON'],
    ['two objects', `{${NUMBER}}{${NUMBER}}`, 'The body is not valid JSON'],
    ['an array', `[{${NUMBER}}]`, 'The body must be a JSON object'],
    ['null', 'null', 'The body must be a JSON object'],
    ['a string', '"+14155550123"', 'The body must be a JSON object'],
    ['a number', '14155550123', 'The body must be a JSON object'],
    ['true', 'true', 'The body must be a JSON object'],
    [
      'invalid UTF-8',
      invalidUtf8,
      'The body is not valid UTF-8. It looks like Latin-1 (Windows-1252): send it as UTF-8',
    ],
    ['UTF-16', Buffer.from(`{${NUMBER}}`, 'utf16le'), 'The body is not valid JSON'],
    ['NUL in a field', `{${NUMBER},"name":"A\\u0000da"}`, 'name contains a character that cannot be stored'],
    [
      'NUL in a variable',
      `{${NUMBER},"a":{"b":["\\u0000"]}}`,
      'a.b.0 contains a character that cannot be stored',
    ],
    ['NUL in a key', `{${NUMBER},"a\\u0000":1}`, 'The body has a key with a character that cannot be stored'],
    [
      'NUL in the number',
      '{"phoneNumber":"+1415555\\u00000123"}',
      'phoneNumber contains a character that cannot be stored',
    ],
    [
      'a lone high surrogate',
      `{${NUMBER},"topic":"\\ud83d"}`,
      'topic contains a character that cannot be stored',
    ],
    [
      'a lone low surrogate',
      `{${NUMBER},"topic":"\\ude00\\ud83d"}`,
      'topic contains a character that cannot be stored',
    ],
    [
      '__proto__',
      `{${NUMBER},"__proto__":{"paused":true}}`,
      'The body has a key named __proto__, which is not allowed',
    ],
    [
      '__proto__ deeper',
      `{${NUMBER},"a":[{"__proto__":1}]}`,
      'a.0 has a key named __proto__, which is not allowed',
    ],
    [
      'a number beyond finite',
      `{${NUMBER},"sum":1e999}`,
      'sum is a number that cannot be kept exactly; send it as a string',
    ],
    [
      'an integer beyond 2^53',
      `{${NUMBER},"crm":{"ids":[9007199254740993]}}`,
      'crm.ids.0 is a number that cannot be kept exactly; send it as a string',
    ],
    [
      'more than 10,000 values',
      `{${NUMBER},"many":[${'1,'.repeat(9_999)}1]}`,
      'The body must have at most 10000 JSON values',
    ],
    ['33 levels', nested(32), 'deep is nested more than 32 levels deep'],
    ['9,000 levels', nested(9_000), 'deep is nested more than 32 levels deep'],
    ['9,000 levels and no end', '['.repeat(9_000), 'The body is not valid JSON'],
  ])('%s', async (_what, body, message) => {
    expect(await post(body)).toEqual(invalid(message));
  });

  const tooLarge = {
    status: 413,
    body: { message: 'The body must be at most 256 KB', reason: 'PAYLOAD_TOO_LARGE', retryable: false },
  };

  test.each([
    ['one byte too many', 256 * 1024 + 1],
    ['3 MB', 3 * 1024 * 1024],
  ])('%s', async (_what, size) => {
    const frame = `{${NUMBER},"padding":""}`.length;
    expect(await post(`{${NUMBER},"padding":"${'x'.repeat(size - frame)}"}`)).toEqual(tooLarge);
  });

  test.each(['gzip', 'br', 'deflate', 'rot13'])('compressed: %s', async (encoding) => {
    expect(await post(gzipSync(`{${NUMBER}}`), { 'Content-Encoding': encoding })).toEqual({
      status: 415,
      body: {
        message: 'The body must have no Content-Encoding',
        reason: 'UNSUPPORTED_ENCODING',
        retryable: false,
      },
    });
  });
});
