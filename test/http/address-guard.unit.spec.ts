import { type LookupAddress } from 'node:dns';
import { createServer } from 'node:http';
import { type AddressInfo, type LookupFunction } from 'node:net';
import { placeCallBounded } from '../../src/carriers/bounded.js';
import { HttpCarrier } from '../../src/carriers/http/http.carrier.js';
import { sendOnce } from '../../src/carriers/send-once.js';
import {
  isAllowedAddress,
  isPublicAddress,
  namesForbiddenAddress,
  namesPrivateAddress,
  publicLookup,
} from '../../src/http/address-guard.js';
import { aDial, HTTP_SECRET } from '../carriers/support.js';
import { eventually } from '../support/eventually.js';

const NOT_PUBLIC = {
  'this host': ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '::'],
  'private networks': ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'links, and with them metadata': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
  'unique local addresses, and metadata there': ['fc00::1', 'fd00:ec2::254', 'fdff::1'],
  'a carrier’s NAT': ['100.64.0.1', '100.127.255.254', '100.100.100.200'],
  'metadata of Amazon, Azure, Alibaba and Oracle': [
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '::ffff:168.63.129.16',
    '64:ff9b::168.63.129.16',
    'fd20:ce::254',
  ],
  groups: ['224.0.0.1', '239.255.255.255', 'ff02::1', '255.255.255.255'],
  'reserved, for benchmarks and documents': ['198.18.0.1', '192.0.2.1', '240.0.0.1', '2001:db8::1'],
  'IPv4 inside IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
  ],
  'site-local and others': ['fec0::1', '100::1'],
  'no addresses': ['', 'localhost', '1.2.3', '::g'],
};

describe.each(Object.entries(NOT_PUBLIC))('%s', (_, addresses) => {
  test.each(addresses)('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each(['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700:4700::1111'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isPublicAddress(address.includes(':') ? address : `::ffff:${address}`)).toBe(true);
  },
);

test('an address through NAT64 is public if its IPv4 address is', () => {
  expect(isPublicAddress('64:ff9b::1.1.1.1')).toBe(true);
});

test('an address in a URL is checked in any spelling; a name is checked after its resolution', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '[::1]',
    '[::ffff:7f00:1]',
    '0xa83f8110',
  ]) {
    expect([host, namesPrivateAddress(new URL(`https://${host}/`))]).toEqual([host, true]);
  }
  for (const host of ['localhost', 'example.com', '1.1.1.1', '[2606:4700:4700::1111]']) {
    expect([host, namesPrivateAddress(new URL(`https://${host}/`))]).toEqual([host, false]);
  }
});

describe('where private networks are allowed', () => {
  const rules = { allowPrivate: true };
  test.each([
    '127.0.0.1',
    '::1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    'fd12::1',
    '::ffff:10.0.0.1',
    '1.1.1.1',
    '64:ff9b::10.0.0.1',
  ])('%s is allowed', (address) => {
    expect(isAllowedAddress(address, rules)).toBe(true);
  });

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '168.63.129.16',
    '100.100.100.200',
    'fd00:ec2::254',
    'fd20:ce::254',
    '192.0.0.192',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    '2002:7f00:1::',
    'localhost',
  ])('%s is not', (address) => {
    expect(isAllowedAddress(address, rules)).toBe(false);
  });

  test('a URL that names an address is checked by it', () => {
    const forbidden = (url: string) => namesForbiddenAddress(new URL(url), rules);
    expect(forbidden('http://169.254.169.254/latest')).toBe(true);
    expect(forbidden('http://[fe80::1]/')).toBe(true);
    expect(forbidden('http://127.0.0.1:3000/')).toBe(false);
  });
});

/** DNS that gives these answers in turn, and counts the questions. */
function dns(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = (
    name: string,
    _options: object,
    callback: (error: null, found: LookupAddress[]) => void,
  ) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, lookup: publicLookup(resolve) };
}

const resolved = (lookup: LookupFunction) =>
  new Promise((resolve) => {
    lookup('agents.example.com', { all: true }, (error, addresses) => resolve(error?.code ?? addresses));
  });

describe('a host name', () => {
  test('that leads to public addresses only resolves to these', async () => {
    const found = await resolved(dns(['1.1.1.1', '2606:4700:4700::1111']).lookup);
    expect(found).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
  });

  test.each([[['10.0.0.1']], [['1.1.1.1', '127.0.0.1']], [['::ffff:169.254.169.254']], [[]]])(
    'that leads to %j is refused',
    async (addresses) => {
      expect(await resolved(dns(addresses).lookup)).toBe('EADDRESSNOTALLOWED');
    },
  );
});

describe('a dial', () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(202).end('{"carrierCallId":"x"}');
  });
  let port: number;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => (requests = 0));

  const carrier = (lookup: LookupFunction | undefined) =>
    new HttpCarrier({
      url: `https://agents.example.com:${port}/`,
      secret: HTTP_SECRET,
      timeoutMs: 20_000,
      lookup,
      publicUrl: 'https://outdial.example.com',
    });

  test('does not connect if the name leads into this host', async () => {
    const { lookup, asked } = dns(['127.0.0.1']);
    expect(await placeCallBounded(carrier(lookup), aDial())).toEqual({
      kind: 'refused',
      reason: 'carrier_address_not_allowed',
    });
    expect(asked).toHaveLength(1);
  });

  test('uses the resolver of this machine', async () => {
    const local = new HttpCarrier({
      url: `https://localhost:${port}/`,
      secret: HTTP_SECRET,
      publicUrl: 'https://outdial.example.com',
    });
    expect(await placeCallBounded(local, aDial())).toMatchObject({ reason: 'carrier_address_not_allowed' });
  });

  test('resolves the name once, so a change of the name meanwhile has no effect', async () => {
    const { lookup, asked } = dns(['203.0.113.1'], ['127.0.0.1']);
    const { lookup: rebinding, asked: questions } = dns(['1.1.1.1'], ['127.0.0.1']);
    expect(await resolved(lookup)).toBe('EADDRESSNOTALLOWED');
    expect(asked).toHaveLength(1);
    const controller = new AbortController();
    const placing = carrier(rebinding).placeCall(aDial(), controller.signal);
    await eventually(
      () => Promise.resolve(questions.length),
      (count) => count > 0,
    );
    setTimeout(() => controller.abort(), 300);
    expect((await placing).kind).toBe('unreachable');
    expect(questions).toEqual(['agents.example.com']);
    expect(requests).toBe(0);
  });

  test('connects to the checked address only', async () => {
    // A stand-in for the checked address, since nothing public listens here: the connection takes what lookup
    // gives.
    const pinned: LookupFunction = (_, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const { signal } = new AbortController();
    const url = new URL(`http://name.that.does.not.exist.example:${port}/`);
    const result = await sendOnce({
      method: 'POST',
      url,
      body: '{}',
      lookup: pinned,
      signal,
      sendWithinMs: 15_000,
    });
    expect(result).toMatchObject({ kind: 'answer', status: 202 });
    expect(requests).toBe(1);
  });
});
