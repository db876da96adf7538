import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { pause } from '../services/run.js';

/**
 * Looks at what passes, in both directions, before it is passed on; an inspector that waits holds the
 * connection.
 */
export interface Inspector {
  toServer?(chunk: Buffer): void | Promise<void>;
  toClient?(chunk: Buffer): void | Promise<void>;
}

/** One connection through the proxy. */
export interface Link {
  /** Ends both sides with a reset. */
  cut(): void;
}

type LinkState = Link & { abandoned: boolean };

/** A TCP proxy that can cut, refuse, delay, and hang what it carries. */
export class TcpProxy {
  port = 0;
  /** Milliseconds by which every chunk is late. */
  delayMs = 0;
  private refusing = false;
  private hang: { over: Promise<void>; end: () => void } | null = null;
  private readonly links = new Set<LinkState>();
  private readonly server: Server;

  /** @param inspect makes the inspector of a new connection. */
  constructor(
    private readonly targetPort: () => number,
    private readonly inspect: (link: Link) => Inspector = () => ({}),
  ) {
    this.server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) =>
      this.accept(socket),
    );
  }

  /** On a port of its own, which it keeps when it listens again after {@link stopListening}. */
  async listen(): Promise<this> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  /** Resets every connection; new ones pass. */
  cut(): void {
    for (const link of [...this.links]) link.cut();
  }

  /** Resets every connection, and new ones at once, until `heal`. */
  refuse(): void {
    this.refusing = true;
    this.cut();
  }

  /**
   * As a server that is not there: connections of now are reset, and none comes about until {@link listen}.
   */
  stopListening(): void {
    this.server.close();
    this.cut();
  }

  /** Nothing passes any more in either direction, and neither side is told, until `heal`. */
  blackhole(): void {
    if (this.hang) return;
    let end: () => void = () => undefined;
    this.hang = { over: new Promise((resolve) => (end = resolve)), end };
  }

  /** Like a router that lost its connections: existing ones stay silent, new ones pass. */
  abandon(): void {
    for (const link of this.links) link.abandoned = true;
  }

  /** New connections pass, delays end, and what was held goes on unless it was abandoned. */
  heal(): void {
    this.refusing = false;
    this.delayMs = 0;
    this.hang?.end();
    this.hang = null;
  }

  async close(): Promise<void> {
    this.refuse();
    this.hang?.end();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(client: Socket): void {
    if (this.refusing) {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const server = connect({
      port: this.targetPort(),
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    const link: LinkState = {
      abandoned: false,
      cut: () => {
        this.links.delete(link);
        reset(client);
        reset(server);
      },
    };
    this.links.add(link);
    for (const socket of [client, server]) {
      socket.on('error', () => this.broke(link));
      socket.on('close', () => {
        if (client.destroyed && server.destroyed) this.links.delete(link);
      });
    }
    const inspector = this.inspect(link);
    void this.pump(client, server, link, (chunk) => inspector.toServer?.(chunk));
    void this.pump(server, client, link, (chunk) => inspector.toClient?.(chunk));
  }

  /** A side that ended by force ends the other one so too, unless neither side is to be told. */
  private broke(link: LinkState): void {
    if (!link.abandoned && !this.hang) link.cut();
  }

  private async pump(
    from: Socket,
    to: Socket,
    link: LinkState,
    tap: (chunk: Buffer) => void | Promise<void>,
  ): Promise<void> {
    try {
      // By itself the loop destroys the socket at its end, while the other direction still goes on. Node 20
      // then never gives the socket back to the system.
      for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (this.delayMs > 0) await pause(this.delayMs);
        await tap(chunk);
        while (this.hang) await this.hang.over;
        // Read and forgotten: the sender sees a peer that takes everything and says nothing.
        if (link.abandoned) continue;
        if (to.destroyed) return void from.destroy();
        if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      if (!link.abandoned) to.end();
    } catch {
      this.broke(link);
    }
  }
}

/**
 * A socket whose end is on its way cannot be reset: Node would neither send a reset, nor give the socket
 * back.
 */
function reset(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}
