import { lookup as dnsLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type ResolveAll } from './resolve-by-dns.js';

/*
 * Decides to which addresses a request may go if a customer or an operator has chosen its URL. A URL that
 * contains an address is checked when it is written. At each connection, the addresses to which the name
 * resolves are checked.
 */

/** The code of a `lookup`'s error that refuses an address. */
export const ADDRESS_NOT_ALLOWED = 'EADDRESSNOTALLOWED';

/**
 * `allowPrivate` admits this host and private networks. Links, metadata of clouds and all else that is
 * reserved stay forbidden.
 */
export interface AddressRules {
  allowPrivate: boolean;
}

const PUBLIC_ONLY: AddressRules = { allowPrivate: false };

/**
 * All of IPv6 that is routed between networks. Other addresses are local, reserved, or contain an IPv4
 * address.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses outside the link-local ranges at which clouds serve the metadata of a host. Azure's agent has a
 * public address; Amazon's and Google's are among the unique local addresses.
 */
const METADATA_ADDRESSES = new Set(['168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254']);

/** The ranges of private networks and of this host, as the library names them. */
const PRIVATE_RANGES = ['private', 'loopback', 'uniqueLocal'];

/**
 * Whether an address belongs to the public internet, also as IPv4 inside IPv6. Not public are this host,
 * private networks, links (where clouds keep metadata), Azure's agent, a carrier's NAT, groups, and reserved
 * ranges.
 */
export function isPublicAddress(text: string): boolean {
  return isAllowedAddress(text, PUBLIC_ONLY);
}

/** The same, or an address of this host or of a private network where the rules allow them. */
export function isAllowedAddress(text: string, rules: AddressRules): boolean {
  // Stricter than the library, for which `1.2.3` is an address.
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  const range = address.range();
  // NAT64 is how a host without IPv4 reaches it: what counts is where that leads.
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

/** The same by other rules. */
export function namesForbiddenAddress({ hostname }: URL, rules: AddressRules): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isAllowedAddress(host, rules);
}

/**
 * Resolves a name, once for each connection, and refuses it if any of its addresses is not public. The
 * connection goes to just these addresses: a name that means something else a moment later changes nothing.
 */
export function publicLookup(resolve: ResolveAll = dnsLookup): LookupFunction {
  return guardedLookup(PUBLIC_ONLY, resolve);
}

/**
 * The same by other rules. A URL that names an address itself is not resolved: {@link namesForbiddenAddress}
 * checks it.
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
