import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';

/** Node's HTTP parser, which has no types. */
interface ParserOfSocket {
  parser?: { remove?: () => void } | null;
}

/**
 * Exempts one request from the server's `requestTimeout`, for a body that may take long. Node has no setting for a single request: the
 * server checks a list of connections that are receiving one, and this takes the connection off the list until its next request. The
 * server's `timeout` still closes a connection on which nothing is sent.
 */
export function withoutRequestTimeout({ socket }: IncomingMessage): void {
  (socket as Socket & ParserOfSocket).parser?.remove?.();
}
