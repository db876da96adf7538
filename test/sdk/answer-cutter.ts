import { createServer, type Server, Socket } from 'node:net';
import { type AddressInfo } from 'node:net';

/**
 * Stands between a client and an API: it passes on every request, and takes the answers away that it is told
 * to.
 */
export class AnswerCutter {
  /** How many answers were taken away. */
  cut = 0;
  private wanted = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((client) => this.pass(client));
  }

  static async before(url: string): Promise<AnswerCutter> {
    const cutter = new AnswerCutter(new URL(url));
    await new Promise<void>((resolve) => cutter.server.listen(0, '127.0.0.1', resolve));
    return cutter;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next answers end with their connection before their first byte arrives. */
  cutNext(answers: number): void {
    this.wanted = answers;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private pass(client: Socket): void {
    const upstream = new Socket();
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', end).on('close', () => {
        this.sockets.delete(socket);
        end();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (part: Buffer) => {
      if (this.wanted === 0) return client.write(part);
      this.wanted -= 1;
      this.cut += 1;
      return end();
    });
    upstream.connect(Number(this.target.port), this.target.hostname);
  }
}
