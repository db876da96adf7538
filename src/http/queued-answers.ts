import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * Closes the responses of all pipelined requests when their connection is closed. Node 20 closes only the
 * response that is being sent. A response that is queued after it would never emit `close`. The request's
 * log line and the release of its body's memory wait for this event. Node 24 closes queued responses itself,
 * before this listener does. The listener of `request` is prepended, so it sees each response before Express
 * does.
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
