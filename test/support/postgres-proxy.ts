import { type AddressInfo, createServer, Socket } from 'node:net';

/**
 * How the next COMMIT fails: it never arrives, its answer is lost with the connection, or its answer never
 * comes.
 */
export type CommitFate = 'lost' | 'answer lost' | 'unanswered';

/** Stands between a client and Postgres: counts round trips, and disturbs a COMMIT on request. */
export interface PostgresProxy {
  url: string;
  /** Times that clients spoke after they had heard an answer, since the last call. */
  takeRoundTrips(): number;
  /** For the next COMMIT that comes by; resolves when it has happened. */
  nextCommit(fate: CommitFate): Promise<void>;
  close(): Promise<void>;
}

// Answers wait this long, so that no client can have reacted to one that a pipeline does not wait for.
const ANSWER_DELAY_MS = 10;
// A COMMIT as a simple query, and as the tag of its completion.
const COMMIT_QUERY = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
const COMMIT_TAG = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

export async function startPostgresProxy(targetUrl: string): Promise<PostgresProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let roundTrips = 0;
  let armed: { fate: CommitFate; happened: () => void } | null = null;

  const server = createServer((client) => {
    const upstream = new Socket();
    let heard = true;
    let fate: CommitFate | null = null;
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (chunk) => {
      if (heard) roundTrips += 1;
      heard = false;
      const commit = armed === null ? -1 : chunk.indexOf(COMMIT_QUERY);
      if (armed === null || commit === -1) return void upstream.write(chunk);
      const { happened } = armed;
      fate = armed.fate;
      armed = null;
      if (fate === 'lost') {
        // The client dies with it, but only once all before it has been taken.
        upstream.end(chunk.subarray(0, commit));
        client.destroy();
      } else upstream.write(chunk);
      happened();
    });
    upstream.on('data', (chunk) => {
      if (fate === 'unanswered') return;
      if (fate === 'answer lost') {
        if (chunk.includes(COMMIT_TAG)) cut();
        return;
      }
      setTimeout(() => {
        heard = true;
        if (client.writable) client.write(chunk);
      }, ANSWER_DELAY_MS);
    });
    upstream.connect(Number(target.port), target.hostname);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    takeRoundTrips() {
      const taken = roundTrips;
      roundTrips = 0;
      return taken;
    },
    nextCommit: (fate) =>
      new Promise((resolve) => {
        armed = { fate, happened: resolve };
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
