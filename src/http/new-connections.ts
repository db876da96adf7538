import { type Server } from 'node:http';
import { type Socket } from 'node:net';
import { networkOf } from './client-address.js';
import { FairIterations } from '../fairness/fair-iterations.js';

/** The most new connections from which one iteration starts to read. */
const OPENED_PER_ITERATION = 2;

/**
 * After this many first requests of one client address in an iteration, its other connections without a
 * request are paused.
 */
export const FIRST_REQUESTS_PER_ITERATION = 4;

/**
 * Starts to read from a few new connections in each iteration, round-robin by client address (IPv6: /64).
 * Connections from trusted proxies are read at once, because their requests are of many teams.
 *
 * One team can open 1,500 connections directly, and send on all of them at once. Without this, a single
 * iteration of the event loop read all of it, up to 64 KB of each, and took 230 to 330 ms in which no other
 * team's request was read; with it, the longest took 60 to 100 ms on the same busy machine.
 */
export function paceNewConnections(
  server: Server,
  isTrustedProxy: (address: string) => boolean = () => false,
): void {
  const iterations = new FairIterations(OPENED_PER_ITERATION);
  /** Connections that are read and have had no request, by client address. */
  const silent = new Map<string, Set<Socket>>();
  /** First requests that arrived in the current iteration, by client address. */
  const arrived = new Map<string, number>();

  const queue = (network: string, socket: Socket) => {
    socket.pause();
    iterations.add(network, () => {
      if (socket.destroyed) return;
      const own = silent.get(network);
      if (own === undefined) silent.set(network, new Set([socket]));
      else own.add(socket);
      socket.resume();
    });
  };
  /** @returns whether the connection was read, and had no request before. */
  const forget = (network: string, socket: Socket): boolean => {
    const own = silent.get(network);
    if (own === undefined || !own.delete(socket)) return false;
    if (own.size === 0) silent.delete(network);
    return true;
  };

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isTrustedProxy(address)) return;
    const network = networkOf(address);
    socket.once('close', () => forget(network, socket));
    queue(network, socket);
  });
  server.prependListener('request', ({ socket }) => {
    // Usually every connection has had a request, so nothing is to be done.
    if (silent.size === 0) return;
    const network = networkOf(socket.remoteAddress ?? '');
    if (!forget(network, socket)) return;
    if (arrived.size === 0) setImmediate(() => arrived.clear());
    const count = (arrived.get(network) ?? 0) + 1;
    arrived.set(network, count);
    if (count < FIRST_REQUESTS_PER_ITERATION) return;
    const others = silent.get(network) ?? [];
    silent.delete(network);
    for (const other of others) queue(network, other);
  });
}
