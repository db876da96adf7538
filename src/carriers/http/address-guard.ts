import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ADDRESS_NOT_ALLOWED } from '../send-once.js';

/** All of IPv6 that is routed between networks; what lies outside is local, reserved, or stands for IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public by its range, and yet the metadata of the host that asks: the virtual machine's agent at Azure. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/**
 * Whether an address belongs to the public internet: not this host, a private network, a link (which is also where
 * clouds keep their metadata), Azure's agent, a carrier's NAT, a group, or anything reserved; IPv4 inside IPv6 included.
 */
export function isPublicAddress(text: string): boolean {
  // Stricter than the library, for which `1.2.3` is an address.
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && !METADATA_ADDRESSES.has(address.toString());
  }
  // NAT64 is how a host without IPv4 reaches it: what counts is where that leads.
  if (address.range() === 'rfc6052') return isPublicAddress(address.toByteArray().slice(12).join('.'));
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST);
}

/** Whether a URL names its host by an address that is not public. Names are judged when they are resolved. */
export function namesPrivateAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host);
}

/**
 * Resolves a name, once for each connection, and refuses it if any of its addresses is not public. The connection goes
 * to just these addresses: a name that means something else a moment later changes nothing.
 */
export function publicLookup(resolve: typeof dnsLookup = dnsLookup): LookupFunction {
  return (hostname, options, callback) => {
    const all = { ...options, all: true as const };
    resolve(hostname, all, (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
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
