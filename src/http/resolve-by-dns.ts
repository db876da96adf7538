import { type LookupAddress, promises } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a name server is waited for at the first try, in milliseconds, and how often it is asked. */
const ASK_MS = 2_000;
const TRIES = 2;

/** How long IPv4 addresses wait for those of IPv6, in milliseconds (RFC 8305). */
const OTHER_FAMILY_MS = 50;

/** Names of this host, for which no name server is asked (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const THIS_HOST: LookupAddress = { address: '127.0.0.1', family: 4 };

/** Resolves a name to all of its addresses, as `dns.lookup` with `all`. */
export type ResolveAll = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * `servers`: in place of those of the system. `otherwise` resolves names of this host, and those that no name
 * server knows.
 */
export interface DnsOptions {
  servers?: readonly string[];
  otherwise?: ResolveAll;
}

/**
 * Resolves names by the name servers of the system, without `getaddrinfo`. Node calls that in two threads of
 * the whole process. Names whose servers do not answer would occupy both, and every other connection of the
 * process would wait. `/etc/hosts` is not read.
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
  // A name without IPv6 addresses is no error, and neither is a server that does not answer for them.
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
