import { type MomentHandler, Moments } from './moments.js';
import { BackendReader, FrontendReader } from './postgres-wire.js';
import { type Link, TcpProxy } from './tcp-proxy.js';

/** Moments in a process's talk with Postgres. */
export type Moment =
  /** The firing's facts were read and their answer is on its way; locks are held. */
  | 'facts answered'
  /** The claim is about to reach Postgres. */
  | 'claim sent'
  /** The claim's COMMIT is about to reach Postgres. */
  | 'claim committing'
  /** Postgres has committed a claim, and its answer is on its way. */
  | 'claim committed'
  | 'call committing'
  | 'call committed';

/** The statements that matter. The first parameter of each says of which calls, in a text with their ids. */
const CLAIMS: readonly string[] = ['claim', 'claim_dials'];
const STORE = 'store_calls';
const FACTS = 'fire_facts';

/** The first call of those that are claimed, stored or decided in one batch. */
const firstId = (text: string | null) =>
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text ?? '')?.[0] ?? '';

/** A proxy before Postgres that knows when a claim or a new call passes. */
export class PostgresProxy extends TcpProxy {
  private readonly moments = new Moments<Moment>();

  constructor(targetPort: () => number) {
    super(targetPort, (link) => this.inspector(link));
  }

  /** @see Moments.atNext */
  atNext(moment: Moment, handler: MomentHandler, withinMs?: number): Promise<string> {
    return this.moments.atNext(moment, handler, withinMs);
  }

  private inspector(link: Link) {
    const frontend = new FrontendReader();
    const backend = new BackendReader();
    let writing: { what: 'claim' | 'call'; id: string } | null = null;
    let reading: string | null = null;
    return {
      toServer: async (chunk: Buffer) => {
        for (const event of frontend.read(chunk)) {
          if (event.kind === 'commit') {
            if (writing) await this.moments.reached(`${writing.what} committing`, writing.id, link);
          } else if (CLAIMS.includes(event.name)) {
            writing = { what: 'claim', id: firstId(event.first) };
            await this.moments.reached('claim sent', writing.id, link);
          } else if (event.name === STORE) {
            writing = { what: 'call', id: firstId(event.first) };
          } else if (event.name === FACTS) reading = firstId(event.first);
        }
      },
      toClient: async (chunk: Buffer) => {
        for (const tag of backend.completed(chunk)) {
          if (tag === 'COMMIT' && writing) {
            const { what, id } = writing;
            writing = null;
            await this.moments.reached(`${what} committed`, id, link);
          } else if (tag === 'ROLLBACK') writing = null;
          else if (reading !== null && tag.startsWith('SELECT ')) {
            const id = reading;
            if (this.moments.isAwaited('facts answered') && isLastOfFacts(chunk)) {
              reading = null;
              await this.moments.reached('facts answered', id, link);
            }
          }
        }
      },
    };
  }
}

/** The answer with the facts is the long one; those of the locks before it are a few bytes. */
function isLastOfFacts(chunk: Buffer): boolean {
  return chunk.length > 400;
}
