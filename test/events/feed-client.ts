import { type Caller } from '../support/call-builders.js';
import { bearer, type Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';

export interface ReadEvent {
  id: string;
  type: string;
  timestamp: string;
  teamId: string;
  sequence: number;
  data: Record<string, unknown>;
}

export interface ReadPage {
  items: ReadEvent[];
  nextAfter: number;
}

/** Numbers all committed events, whether or not a worker does it as well. */
export async function numberAll({ db }: Pick<Calling, 'db'>): Promise<void> {
  await eventually(
    async () => {
      await db.query('SELECT FROM number_events(10000)');
      const [row] = await db.query<{ events: number }[]>('SELECT events FROM count_unnumbered_events()');
      return row?.events;
    },
    (left) => left === 0,
  );
}

export const getEvents = (calling: Calling, { apiKey }: Pick<Caller, 'apiKey'>, query = '') =>
  calling.http().get(`/api/events${query}`).set(bearer(apiKey));

/** A page that must be answered. */
export async function eventsBy(calling: Calling, caller: Caller, query = ''): Promise<ReadPage> {
  const answer = await getEvents(calling, caller, query);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${answer.text}`);
  return answer.body as ReadPage;
}

/** Reads a team's feed as an integrator does: each event once. */
export class FeedReader {
  private after = 0;

  constructor(
    private readonly calling: Calling,
    private readonly caller: Caller,
  ) {}

  /** All events that were committed since the last read. */
  async news(): Promise<ReadEvent[]> {
    await numberAll(this.calling);
    return this.visible();
  }

  /** Those that have numbers, as they are. */
  async visible(): Promise<ReadEvent[]> {
    const found: ReadEvent[] = [];
    for (;;) {
      const { items, nextAfter } = await eventsBy(
        this.calling,
        this.caller,
        `?after=${this.after}&limit=200`,
      );
      found.push(...items);
      if (nextAfter === this.after) return found;
      this.after = nextAfter;
    }
  }

  async types(): Promise<string[]> {
    return (await this.news()).map(({ type }) => type);
  }
}
