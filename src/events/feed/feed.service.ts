import { Injectable } from '@nestjs/common';
import { team } from '../../database/team-scope.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { query, Transactions } from '../../database/transactions.js';
import { AppError } from '../../http/app-error.js';
import { type NumberedEventRow } from './event.sql.js';
import { type EventView, eventViewOf } from './event-view.js';
import { type FeedRequest } from './feed-request.js';
import { type FeedRow, type FeedState, READ_EVENTS } from './feed.sql.js';

/** A page of the feed. */
export interface EventPage {
  items: EventView[];
  /** The `after` of the next request: the sequence up to which the feed was read. */
  nextAfter: number;
}

type ShownRow = Extract<FeedRow, NumberedEventRow>;

/** Reads the events of a team in the order of their numbers, for requests with the team's API key. */
@Injectable()
export class FeedService {
  constructor(
    private readonly transactions: Transactions,
    private readonly semaphore: KeyedSemaphore,
  ) {}

  /** @throws AppError `GONE` with `oldest`, if events after `after` were removed. */
  async read(teamId: string, { after, types, limit }: FeedRequest): Promise<EventPage> {
    const statement = query(READ_EVENTS, teamId, after, types, limit);
    // A read by types may examine many events, so it needs a permit of its team.
    const rows = await this.semaphore.run(teamId, () =>
      this.transactions.within(team(teamId)).read<FeedRow & Record<string, unknown>>(statement),
    );
    const [state] = rows;
    if (state === undefined) throw new Error('read_events returned no row');
    if (after > 0 && after < Number(state.removed)) throw gone(after, state);
    const shown = rows.filter((row): row is ShownRow & Record<string, unknown> => row.n !== null);
    return { items: shown.map(eventViewOf), nextAfter: endOf(shown, limit, state) ?? after };
  }
}

/**
 * The sequence up to which the feed was read: of the last item if the page was cut off, else of the last
 * examined event. Null if no event was examined.
 */
function endOf(shown: ShownRow[], limit: number, { scanned }: FeedState): number | null {
  const last = shown.at(-1);
  const isCut = last !== undefined && (shown.length === limit || shown.length < Number(last.found));
  const end = isCut ? last.sequence : scanned;
  return end === null ? null : Number(end);
}

function gone(after: number, { oldest, removed }: FeedState): AppError {
  const first = oldest === null ? Number(removed) + 1 : Number(oldest);
  return new AppError('GONE', `Events after ${after} are no longer kept; the oldest is ${first}`, {
    oldest: first,
  });
}
