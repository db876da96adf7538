import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type ResolveAll } from './resolve-by-dns.js';

/*
 * Decides to which addresses a request may go if a customer or an operator has chosen its URL. If the URL's
 * host is an address, the URL itself is checked. If the host is a name, the addresses to which it resolves
 * are checked at each connection.
 */

/** The code of the error with which a `lookup` refuses an address. */
export const ADDRESS_NOT_ALLOWED = 'EADDRESSNOTALLOWED';

/**
 * `allowPrivate` allows the addresses of this host and of private networks. Link-local addresses, clouds'
 * metadata addresses and all other reserved ranges stay forbidden.
 */
export interface AddressRules {
  allowPrivate: boolean;
}

const PUBLIC_ONLY: AddressRules = { allowPrivate: false };

/**
 * The IPv6 addresses that are routed between networks. Other IPv6 addresses are local, reserved, or contain
 * an IPv4 address.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses outside the link-local ranges at which clouds serve the metadata of a host. The one of Azure is a
 * public address. Those of Amazon and Google are unique local addresses.
 */
const METADATA_ADDRESSES = new Set(['168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']);

/** The ranges of private networks and of this host, as the library names them. */
const PRIVATE_RANGES = ['private', 'loopback', 'uniqueLocal'];

/**
 * Whether an address belongs to the public internet. An IPv4-mapped address or a NAT64 address counts as the
 * IPv4 address that it contains. Addresses of this host, of private networks and of clouds' metadata are not
 * public. Neither are link-local, carrier-grade NAT, multicast and reserved addresses.
 */
export function isPublicAddress(text: string): boolean {
  return isAllowedAddress(text, PUBLIC_ONLY);
}

/**
 * Whether the rules allow an address: a public one, or with `allowPrivate` also one of this host or of a
 * private network.
 */
export function isAllowedAddress(text: string, rules: AddressRules): boolean {
  // Stricter than the library, for which `1.2.3` is an address.
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  // A NAT64 address leads to the IPv4 address in its last four bytes, which is checked instead.
  if (address instanceof ipaddr.IPv6 && range === 'rfc6052') {
    return isAllowedAddress(address.toByteArray().slice(12).join('.'), rules);
  }
  if (METADATA_ADDRESSES.has(address.toString())) return false;
  if (rules.allowPrivate && PRIVATE_RANGES.includes(range)) return true;
  return range === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST));
}

/**
 * Whether a URL names its host by an address that is not public. Names are checked when they are resolved.
 */
export function namesPrivateAddress(url: URL): boolean {
  return namesForbiddenAddress(url, PUBLIC_ONLY);
}

/** Whether a URL names its host by an address that the rules do not allow. */
export function namesForbiddenAddress({ hostname }: URL, rules: AddressRules): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowedAddress(host, rules);
}

/**
 * Makes a `lookup` that resolves a name for each connection, and refuses the name if any of its addresses is
 * not public. The connection uses only the addresses that were checked. A later change of the name's
 * addresses does not affect it.
 */
export function publicLookup(resolve: ResolveAll = dnsLookup): LookupFunction {
  return guardedLookup(PUBLIC_ONLY, resolve);
}

/**
 * Makes the `lookup` of {@link publicLookup} for other rules. If a URL's host is an address, it is not
 * resolved, and {@link namesForbiddenAddress} checks it instead.
 */
export function guardedLookup(rules: AddressRules, resolve: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    const all = { ...options, all: true as const };
    resolve(hostname, all, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowedAddress(address, rules))) {
        return callback(
          Object.assign(new Error('address not allowed'), { code: ADDRESS_NOT_ALLOWED }),
          '',
          0,
        );
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
