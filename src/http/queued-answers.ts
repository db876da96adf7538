import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * Closes the responses of pipelined requests with their connection. Node 20 closes the one that is being sent; one that
 * is queued behind it would never emit `close`, and what waits for that would never end: its log line, its body's
 * memory. Node 24 closes each of them itself, before this does. A listener before all others.
 */
export function closeQueuedAnswers(server: Server): void {
  server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // A response that is not queued has the socket already.
    if (response.socket !== null) return;
    const onGone = () => {
      if (response.socket !== null || response.destroyed) return;
      response.destroyed = true;
      response.emit('close');
    };
    socket.once('close', onGone);
    response.once('close', () => socket.off('close', onGone));
  });
}
