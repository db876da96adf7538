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

/** Runs when its moment has come; what passes waits until it is done. */
export type MomentHandler = (callRequestId: string, link: Link) => void | Promise<void>;

/** The statements that matter, and the place of the call request's id among their parameters. */
const CLAIM = 'claim';
const STORE = 'store_call';
const FACTS = 'fire_facts';

/** A proxy before Postgres that knows when a claim or a new call passes. */
export class PostgresProxy extends TcpProxy {
  private readonly armed = new Map<Moment, MomentHandler>();

  constructor(targetPort: () => number) {
    super(targetPort, (link) => this.inspector(link));
  }

  /** Resolves to the call's id once `handler` ran at the next such moment; rejects if none comes in time. */
  atNext(moment: Moment, handler: MomentHandler, withinMs = 15_000): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.armed.delete(moment);
        reject(new Error(`no "${moment}" within ${withinMs} ms`));
      }, withinMs);
      this.armed.set(moment, async (id, link) => {
        clearTimeout(timer);
        this.armed.delete(moment);
        await handler(id, link);
        resolve(id);
      });
    });
  }

  private async reach(moment: Moment, id: string, link: Link): Promise<void> {
    await this.armed.get(moment)?.(id, link);
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
            if (writing) await this.reach(`${writing.what} committing`, writing.id, link);
          } else if (event.name === CLAIM) {
            writing = { what: 'claim', id: event.first ?? '' };
            await this.reach('claim sent', writing.id, link);
          } else if (event.name === STORE) {
            // Its first parameter is the team.
            writing = { what: 'call', id: '' };
          } else if (event.name === FACTS) reading = event.first;
        }
      },
      toClient: async (chunk: Buffer) => {
        for (const tag of backend.completed(chunk)) {
          if (tag === 'COMMIT' && writing) {
            const { what, id } = writing;
            writing = null;
            await this.reach(`${what} committed`, id, link);
          } else if (tag === 'ROLLBACK') writing = null;
          else if (reading !== null && tag === 'SELECT 1') {
            const id = reading;
            if (this.armed.has('facts answered') && isLastOfFacts(chunk)) {
              reading = null;
              await this.reach('facts answered', id, link);
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
