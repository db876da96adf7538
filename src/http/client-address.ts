import { type IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Express sets `ip`. `clientAddress` stores the result of {@link clientAddressOf}. */
export type AddressedRequest = IncomingMessage & { ip?: string | undefined; clientAddress?: string };

/** Some proxies write the client's port after its address. */
const WITH_PORT = /^(?:([\d.]+)|\[([\da-f:]+)\]):\d{1,5}$/i;

/**
 * The IP address of the client: usually the address of the connection. If the connection comes from one of
 * `TRUSTED_PROXIES`, it is the last address in `X-Forwarded-For` that is not a trusted proxy's (Express'
 * `trust proxy`).
 */
export function clientAddressOf(request: AddressedRequest): string {
  return (request.clientAddress ??= addressOf(request));
}

function addressOf(request: AddressedRequest): string {
  const { headers, socket } = request;
  // Express' `ip` reads all settings and headers again. Without this header, `ip` is the connection's
  // address.
  const ip = headers['x-forwarded-for'] === undefined ? socket.remoteAddress : request.ip;
  return normalized(ip) ?? normalized(socket.remoteAddress) ?? 'unknown';
}

/**
 * The address that sent the request to the last trusted proxy, or to this process. Unlike the client's
 * address, it is known before Express has the request.
 */
export function peerOf(
  { socket, headers }: IncomingMessage,
  isTrusted: (address: string) => boolean,
): string {
  const address = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !isTrusted(address)) return address;
  return normalized(forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()) ?? address;
}

/**
 * The network by which failures and requests are counted. An IPv4 address is a network of its
 * own, also if an IPv6 socket reports it as an IPv6 address. The network of an IPv6 address is its /64,
 * within which a client can choose any address.
 */
export function networkOf(address: string): string {
  return isIPv6(address) ? remembered(NETWORKS, address, networkOfIpv6) : address;
}

function networkOfIpv6(text: string): string {
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Addresses that were parsed before. Parsing takes ten microseconds, and a client sends many requests. */
const PARSED = new Map<string, string | null>();
const NETWORKS = new Map<string, string>();
const MAX_REMEMBERED = 1_000;

function remembered<T>(known: Map<string, T>, text: string, parse: (text: string) => T): T {
  let value = known.get(text);
  if (value === undefined) {
    value = parse(text);
    if (known.size === MAX_REMEMBERED) known.clear();
    known.set(text, value);
  }
  return value;
}

/** Longer than any address with a zone and a port. */
const MAX_LENGTH = 100;

/** @returns null for a text that is no IP address: `X-Forwarded-For` can hold any text. */
function normalized(text: string | undefined): string | null {
  return text === undefined || text.length > MAX_LENGTH ? null : remembered(PARSED, text, parsed);
}

function parsed(text: string): string | null {
  const [, v4, v6] = WITH_PORT.exec(text) ?? [];
  const address = v4 ?? v6 ?? text;
  if (isIP(address) === 0) return null;
  // An IPv4 address on an IPv6 socket is written as ::ffff:192.0.2.1.
  return isIPv6(address) ? ipaddr.process(address).toString() : address;
}
