import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that sends given bytes, one by one if need be, and keeps all that it receives. */
export class SlowClient {
  private text = '';

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.text += chunk.toString('latin1')));
    // Node throws an error of a socket that has no listener.
    socket.on('error', () => undefined);
  }

  static async to(port: number): Promise<SlowClient> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new SlowClient(socket);
  }

  /** What was received so far. */
  get received(): string {
    return this.text;
  }

  /** Sends the head of a request, with `headers` in addition. */
  open(method: string, path: string, headers: Record<string, string | number>): void {
    const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  /**
   * The status of the first answer, as soon as its status line is there; null when the connection ends
   * without one.
   *
   * @throws the socket's error if the server resets the connection.
   */
  async status(): Promise<number | null> {
    for (;;) {
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(this.text) ?? [];
      if (status !== undefined) return Number(status);
      if (this.socket.closed) return null;
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    }
  }

  /** Resolves when the connection is over. @throws the socket's error if the server resets it. */
  async closed(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, 'close');
  }

  /** Resolves when the connection is over, also if the server resets it. */
  async ended(): Promise<void> {
    if (!this.socket.closed) await new Promise((resolve) => this.socket.once('close', resolve));
  }

  close(): void {
    this.socket.destroy();
  }
}
