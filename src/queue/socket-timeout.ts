import { type Duplex } from 'node:stream';
import { Redis } from 'ioredis';

/** What ioredis 5.11 has inside. */
interface SocketTimeout {
  stream: Duplex;
  socketTimeoutTimer: NodeJS.Timeout | undefined;
  setSocketTimeout(): void;
}

const inside = Redis.prototype as unknown as SocketTimeout;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with `call` alone
const { setSocketTimeout } = inside;
const watched = new WeakSet<Duplex>();

/*
 * With `socketTimeout`, ioredis leaves the timer of a connection behind when it closes while it waits for an answer:
 * the timer then ends the connection that has taken its place, and keeps a process that has closed everything from
 * exiting. A prototype, because BullMQ makes connections of its own.
 */
inside.setSocketTimeout = function (this: SocketTimeout): void {
  setSocketTimeout.call(this);
  const { stream } = this;
  if (watched.has(stream)) return;
  watched.add(stream);
  stream.once('close', () => {
    clearTimeout(this.socketTimeoutTimer);
    this.socketTimeoutTimer = undefined;
  });
};
