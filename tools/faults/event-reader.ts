import { pause } from '../services/run.js';
import { type EventRecord } from './event-history.js';
import { request } from './http-request.js';
import { type Tenant } from './tenants.js';

const PAUSE_MS = 200;
const LIMIT = 200;

/** An event as integrators get it, as far as it is checked. */
export interface Envelope {
  id: string;
  type: string;
  teamId: string;
  sequence: number;
  data: { callRequestId?: string; status?: string };
}

interface Page {
  items?: Envelope[];
  nextAfter?: number;
}

export function eventRecordOf({ id, teamId, type, sequence, data }: Envelope): EventRecord {
  const [callRequestId, status] = [data.callRequestId ?? null, data.status ?? null];
  return { id, teamId, type, sequence, callRequestId, status };
}

/**
 * Reads the feed of every team through the API, as an integrator does, whatever happens to the API meanwhile.
 * It begins at once.
 */
export class EventReader {
  /** All that was read, in the order of the reads. */
  readonly events: EventRecord[] = [];
  private readonly cursors = new Map<string, number>();
  private stopping = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly apiUrl: string,
    private readonly teams: readonly Tenant[],
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  /** Stops, and reads every feed to its end. @returns whether each end was reached. */
  async finish(patienceMs: number): Promise<boolean> {
    await this.stop();
    const deadline = Date.now() + patienceMs;
    let open = this.teams;
    while (open.length > 0 && Date.now() < deadline) {
      const left: Tenant[] = [];
      for (const team of open) if (!(await this.read(team))) left.push(team);
      open = left;
      if (open.length > 0) await pause(PAUSE_MS);
    }
    return open.length === 0;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      for (const team of this.teams) await this.read(team);
      await pause(PAUSE_MS);
    }
  }

  /** Reads what is new. @returns whether the end was reached. */
  private async read({ teamId, apiKey }: Tenant): Promise<boolean> {
    for (;;) {
      const after = this.cursors.get(teamId) ?? 0;
      const { status, body } = await request(
        'GET',
        `${this.apiUrl}/api/events?after=${after}&limit=${LIMIT}`,
        apiKey,
      );
      const { items = [], nextAfter = after } = body as Page;
      if (status !== 200) return false;
      // Whatever team it names: this is the feed in which it is.
      for (const item of items) this.events.push({ ...eventRecordOf(item), teamId });
      this.cursors.set(teamId, nextAfter);
      if (nextAfter === after) return true;
      if (this.stopping && items.length === 0) return false;
    }
  }
}
