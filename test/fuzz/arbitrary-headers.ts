import fc from 'fast-check';
import { type KnownOperation } from '../openapi/conformance.js';

const KEYS = ['', 'x', '"x"', '"', '"a\\"b"', 'k'.repeat(255), 'k'.repeat(256), '\xe9', ' ', 'a', '"b"', 'c'];
const REQUEST_IDS = ['', 'abc', '\x01', 'x'.repeat(200), '+14155552671', '../x'];

const EXTRAS: [string, string][] = [
  ...KEYS.map((key): [string, string] => ['Idempotency-Key', key]),
  ...REQUEST_IDS.map((value): [string, string] => ['X-Request-Id', value]),
  ...KEYS.map((id): [string, string] => ['External-Id', id]),
  ['X-Forwarded-For', '1.2.3.4, <script>'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Content-Encoding', 'snappy'],
  ['Content-Encoding', 'gzip, gzip'],
  ['Content-Type', 'application/x-www-form-urlencoded'],
  ['Content-Type', 'multipart/form-data; boundary='],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'application/json; charset=klingon'],
  ['Content-Type', ';;;'],
  ['Expect', '100-continue'],
  ['Expect', 'the unexpected'],
  ['Upgrade', 'websocket'],
  ['Host', 'evil.example'],
  ['Content-Length', '5'],
  ['Transfer-Encoding', 'identity'],
  ['Accept', 'text/html;q=x'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '*'],
  ['Cookie', 'x'.repeat(9_000)],
  ['X-Long', 'x'.repeat(17_000)],
  ['bad header', 'x'],
];

/** The right credentials, and what else is harmless. */
export function tameHeaders({ operation }: KnownOperation): fc.Arbitrary<[string, string][]> {
  const [scheme] = operation.security.flatMap((choice) => Object.keys(choice));
  const credentials: [string, string][] =
    scheme === undefined ? [] : [['Authorization', `Bearer <${scheme}>`]];
  return fc.constant([...credentials, ['Content-Type', 'application/json']]);
}

/** Credentials and other headers that callers, proxies and attackers send. */
export function headersOf({ operation }: KnownOperation): fc.Arbitrary<[string, string][]> {
  const [scheme] = operation.security.flatMap((choice) => Object.keys(choice));
  const authorization = fc.oneof(
    { weight: 16, arbitrary: fc.constant(scheme === undefined ? '' : `Bearer <${scheme}>`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '',
        'Bearer',
        'Bearer ',
        'Basic <teamKey>',
        '<teamKey>',
        'Bearer <teamKey>',
        'Bearer <operatorToken>',
        'bearer  <teamKey> ',
        'Bearer <teamKey> <teamKey>',
        'Bearer \xff\x00',
        `Bearer ${'x'.repeat(6_000)}`,
      ),
    },
  );
  const extra = fc.constantFrom(...EXTRAS);
  const type: fc.Arbitrary<[string, string][]> = fc.constantFrom([['Content-Type', 'application/json']], []);
  return fc
    .tuple(
      authorization,
      type,
      fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(extra, { maxLength: 3 })),
    )
    .map(([token, types, extras]) => [
      ...(token === '' ? [] : [['Authorization', token] as [string, string]]),
      ...types,
      ...extras,
    ]);
}
