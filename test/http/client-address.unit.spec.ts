import { type AddressedRequest, clientAddressOf, networkOf, peerOf } from '../../src/http/client-address.js';

const requestOf = (ip: string | undefined, remoteAddress?: string) =>
  ({
    ip,
    headers: { 'x-forwarded-for': 'read by Express' },
    socket: { remoteAddress },
  }) as unknown as AddressedRequest;

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['[2001:DB8::1]:4711', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
])('the address %s is %s', (ip, address) => {
  expect(clientAddressOf(requestOf(ip, '127.0.0.1'))).toBe(address);
});

test.each(['unknown', '_hidden', 'x'.repeat(10_000), '1.2.3', '999.1.1.1', '', '-', '1.2.3.4:', ':::1'])(
  'a forwarded value that is not an address is ignored, and the connection’s address is used',
  (ip) => {
    expect(clientAddressOf(requestOf(ip, '::ffff:127.0.0.1'))).toBe('127.0.0.1');
  },
);

test('a closed connection has no address', () => {
  expect(clientAddressOf(requestOf(undefined))).toBe('unknown');
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('failures of %s are counted for %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('before Express has a request, the address is the one that the last trusted proxy names', () => {
  const isTrusted = (address: string) => address === '127.0.0.1';
  const peer = (remoteAddress: string, forwarded?: string) =>
    peerOf(
      { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as AddressedRequest,
      isTrusted,
    );
  expect(peer('127.0.0.1', '192.0.2.1')).toBe('192.0.2.1');
  expect(peer('127.0.0.1', '192.0.2.6, ::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect([peer('127.0.0.1'), peer('127.0.0.1', 'invented')]).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(peer('192.0.2.9', '192.0.2.1')).toBe('192.0.2.9');
});
