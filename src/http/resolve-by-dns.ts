import { type LookupAddress, promises } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';

/** How long the first try waits for a name server, in milliseconds, and the number of tries. */
const ASK_MS = 2_000;
const TRIES = 2;

/** The longest wait for IPv6 addresses once the IPv4 addresses are known, in milliseconds (RFC 8305). */
const OTHER_FAMILY_MS = 50;

/** Names of this host. They are resolved without a name server (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const THIS_HOST: LookupAddress = { address: '127.0.0.1', family: 4 };

/** Resolves a name to all of its addresses, as `dns.lookup` with `all`. */
export type ResolveAll = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * `servers` are used in place of the system's name servers. `otherwise` resolves names of this host, and
 * names for which a name server returns an error. A timeout is not such an error.
 */
export interface DnsOptions {
  servers?: readonly string[];
  otherwise?: ResolveAll;
}

/**
 * Resolves names by the name servers of the system, without `getaddrinfo`. Node runs `getaddrinfo` in at most
 * two threads of the process. Names whose servers do not answer would occupy both threads. Every other
 * connection to a host name would wait for them. `/etc/hosts` is read only if `otherwise` reads it.
 */
export function resolveByDns({ servers, otherwise }: DnsOptions = {}): ResolveAll {
  const resolver = new promises.Resolver({ timeout: ASK_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return (hostname, options, callback) => {
    if (LOCALHOST.test(hostname)) {
      if (otherwise === undefined) callback(null, [THIS_HOST]);
      else otherwise(hostname, options, callback);
      return;
    }
    addressesOf(resolver, hostname).then(
      (addresses) => callback(null, addresses),
      (error: NodeJS.ErrnoException) => {
        if (otherwise === undefined || error.code === promises.TIMEOUT) callback(error, []);
        else otherwise(hostname, options, callback);
      },
    );
  };
}

async function addressesOf(resolver: promises.Resolver, hostname: string): Promise<LookupAddress[]> {
  const asked = resolver.resolve4(hostname).then(ofFamily(4));
  // It is no error if the name has no IPv6 addresses, or if the server does not answer this request.
  const askedBeside = resolver.resolve6(hostname).then(ofFamily(6), () => []);
  const none: LookupAddress[] = [];
  try {
    const addresses = await asked;
    return [...addresses, ...(await Promise.race([askedBeside, pause(OTHER_FAMILY_MS, none)]))];
  } catch (error) {
    const others = await askedBeside;
    if (others.length === 0) throw error;
    return others;
  }
}

function ofFamily(family: 4 | 6) {
  return (addresses: string[]): LookupAddress[] => addresses.map((address) => ({ address, family }));
}
