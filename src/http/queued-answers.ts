import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * Closes the responses of pipelined requests with their connection. Node 20 closes the response that is being
 * sent. One that is queued after it would never emit `close`. Its log line and the memory of its body wait
 * for that event. Node 24 closes each of them itself, before this does. A listener before all others.
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
