import 'reflect-metadata';
import { loadDatabaseAccess } from '../../src/config/database-url.js';
import { loadConfig } from '../../src/configuration.js';
import { API_KEY, LIVEKIT, TWILIO, signingSecret } from './support/carrier-variables.js';
import { namedIn, refusal } from './support/refusal.js';
import { REQUIRED } from './support/variables.js';

describe('weak secrets are refused at the start, and only their variable is named', () => {
  const SECRETS: Record<string, NodeJS.ProcessEnv> = {
    OPERATOR_TOKEN: {},
    ERASURE_KEY: {},
    SECRETS_KEY: {},
    SECRETS_KEY_PREVIOUS: { SECRETS_KEY: 'sixteen-letters-' },
    BULL_BOARD_PASSWORD: {},
    METRICS_TOKEN: {},
    SIMULATOR_CALLBACK_TOKEN: {},
    TWILIO_AUTH_TOKEN: TWILIO,
    TWILIO_API_KEY_SECRET: { ...TWILIO, ...API_KEY },
    LIVEKIT_API_SECRET: LIVEKIT,
    OIDC_CLIENT_SECRET: { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'outdial' },
  };
  const WEAK = [
    'change-me-change-me-change-me',
    'Change_Me.change-me',
    'aaaaaaaaaaaaaaaa',
    'abababababababab',
  ];
  const STRONG = [
    'operator-token-of-the-tests',
    'not-a-password-but-long',
    'a-secret-place-0815',
    '4815162342481516',
    'q1w2e3r4t5y6u7i8',
  ];

  test.each(Object.entries(SECRETS))('%s', (name, beside) => {
    for (const value of [...WEAK, ...WEAK.map((weak) => `${weak}${weak}`)]) {
      const message = refusal({ ...REQUIRED, ...beside, [name]: value });
      expect(namedIn(message)).toEqual([name]);
      expect(message).toContain('must not be a placeholder or easily guessed; make one with: openssl rand');
      expect(message).not.toContain(value);
    }
    for (const value of STRONG) {
      expect(() => loadConfig({ ...REQUIRED, ...beside, [name]: value })).not.toThrow();
    }
  });

  test('the previous key for secrets is refused without the current one', () => {
    const message = refusal({ ...REQUIRED, SECRETS_KEY_PREVIOUS: 'sixteen-letters-' });
    expect(message).toContain('SECRETS_KEY: is not set; SECRETS_KEY_PREVIOUS needs it');
  });

  test.each([
    ['BULL_BOARD_PASSWORD', 'password', {}],
    ['BULL_BOARD_PASSWORD', 'PassWord', {}],
    ['LIVEKIT_API_SECRET', 'secret', LIVEKIT],
    ['OPERATOR_TOKEN', 'passwordpassword', {}],
    ['OPERATOR_TOKEN', 'secret-secret-secret', {}],
  ])('%s=%s', (name, value, beside) => {
    expect(namedIn(refusal({ ...REQUIRED, ...beside, [name]: value }))).toEqual([name]);
  });

  test.each([
    ['DATABASE_URL', 'postgres'],
    ['DATABASE_OPERATOR_URL', 'postgres'],
    ['REDIS_URL', 'redis'],
  ])('%s with a placeholder as its password', (name, protocol) => {
    const url = (password: string) => `${protocol}://outdial:${password}@db.example.com/1`;
    for (const password of ['change-me', 'CHANGEME', 'your_password', 'change-me-change-me']) {
      const message = refusal({ ...REQUIRED, [name]: url(password) });
      expect(message).toBe(
        `Invalid environment variables:\n  ${name}: must not have a placeholder as its password`,
      );
      if (name === 'REDIS_URL') continue;
      const DATABASE_URL = REQUIRED.DATABASE_URL;
      expect(() => loadDatabaseAccess({ DATABASE_URL, [name]: url(password) })).toThrow(message);
    }
    for (const password of ['outdial', 'change-me-not']) {
      expect(() => loadConfig({ ...REQUIRED, [name]: url(password) })).not.toThrow();
    }
  });

  test('HTTP_CARRIER_SECRET is checked by the decoded bytes of each secret', () => {
    const secretOf = (text: string) => `whsec_${Buffer.alloc(24, text).toString('base64')}`;
    for (const weak of ['\0', 'a', 'change-me', 'secret'].map(secretOf)) {
      for (const value of [weak, `${signingSecret(24)},${weak}`])
        expect(namedIn(refusal({ ...REQUIRED, HTTP_CARRIER_SECRET: value }))).toEqual([
          'HTTP_CARRIER_SECRET',
        ]);
    }
  });
});
