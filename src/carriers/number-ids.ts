import { createHash } from 'node:crypto';
import { type PlaceCallResult } from './carrier.js';
import { type JsonAnswer, pauseAfter } from './json-api.js';

/** An account's numbers by E.164, each with the platform's id, or the answer that has none. */
export type NumberList =
  { kind: 'numbers'; ids: ReadonlyMap<string, string> } | { kind: 'failed'; answer: JsonAnswer };

/** The id of a number. `result`: what became of the dial, which was not sent. */
type NumberId = { kind: 'id'; id: string } | { kind: 'none'; result: PlaceCallResult };

interface Kept {
  ids: ReadonlyMap<string, string>;
  /** By the monotonic clock. */
  readAt: number;
}

export interface NumberIdsOptions {
  /** Lists the numbers of the account that a credential opens. */
  list: (credential: string, signal: AbortSignal) => Promise<NumberList>;
  /** Whether an answer of 4xx is the platform's own. */
  isRefusal: (value: unknown) => boolean;
  /** The longest duration of one list, in ms. */
  timeoutMs: number;
  /** Monotonic, in ms. */
  now?: () => number;
}

/** How long a list is used, in ms. */
const FRESH_MS = 5 * 60_000;
/** How old a list must be before it is read again for a number that it does not have, in ms. */
const MISSING_MS = 15_000;
/** The most accounts whose lists are kept. */
const MOST_ACCOUNTS = 1_000;

/**
 * The platforms' ids of caller IDs, which they number themselves. The numbers of an account are listed once in
 * five minutes, and again for a number that the list does not have.
 */
export class NumberIds {
  private readonly kept = new Map<string, Kept>();
  private readonly underWay = new Map<string, Promise<NumberList>>();
  private readonly now: () => number;

  constructor(private readonly options: NumberIdsOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /**
   * The id of a number that is to be dialed from. Sends nothing after `signal` has aborted.
   *
   * @param named the ids that an agent's settings give, which need no look-up.
   */
  async idOf(
    number: string,
    credential: string,
    signal: AbortSignal,
    named: Readonly<Record<string, string>> = {},
  ): Promise<NumberId> {
    const given = Object.hasOwn(named, number) ? named[number] : undefined;
    if (given !== undefined) return { kind: 'id', id: given };
    const account = createHash('sha256').update(credential).digest('base64');
    const kept = this.kept.get(account);
    const known = kept?.ids.get(number);
    const age = kept === undefined ? Infinity : this.now() - kept.readAt;
    if (known !== undefined && age < FRESH_MS) return { kind: 'id', id: known };
    if (known === undefined && age < MISSING_MS) return unknownNumber;
    if (signal.aborted) return none({ kind: 'unreachable', reason: 'carrier_timeout' });
    const list = await unlessAborted(this.read(account, credential), signal);
    // An old id is better than no call: the platform refuses an id that it no longer has.
    if (known !== undefined && (list === null || list.kind === 'failed')) return { kind: 'id', id: known };
    if (list === null) return none({ kind: 'unreachable', reason: 'carrier_timeout' });
    if (list.kind === 'failed') return none(this.undialed(list.answer));
    const id = list.ids.get(number);
    return id === undefined ? unknownNumber : { kind: 'id', id };
  }

  private read(account: string, credential: string): Promise<NumberList> {
    const current = this.underWay.get(account);
    if (current !== undefined) return current;
    const reading = this.options
      .list(credential, AbortSignal.timeout(this.options.timeoutMs))
      .then((list) => {
        if (list.kind === 'numbers') this.keep(account, list.ids);
        return list;
      })
      .finally(() => this.underWay.delete(account));
    this.underWay.set(account, reading);
    return reading;
  }

  private keep(account: string, ids: ReadonlyMap<string, string>): void {
    this.kept.delete(account);
    this.kept.set(account, { ids, readAt: this.now() });
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_ACCOUNTS && oldest !== undefined) this.kept.delete(oldest);
  }

  /** The result of a dial for which the numbers could not be listed: no request that dials was sent. */
  private undialed(answer: JsonAnswer): PlaceCallResult {
    if (answer.kind !== 'answer') return { kind: 'unreachable', reason: answer.reason };
    const { status, headers, value } = answer;
    if (status === 429) {
      return { kind: 'throttled', reason: 'carrier_throttled', retryAfterMs: pauseAfter(headers) };
    }
    if ((status === 401 || status === 403) && this.options.isRefusal(value)) {
      return { kind: 'refused', reason: 'carrier_unauthorized' };
    }
    return {
      kind: 'unreachable',
      reason: status === 200 ? 'carrier_unreadable' : `carrier_http_${status}`,
    };
  }
}

const unknownNumber = none({ kind: 'refused', reason: 'carrier_number_unknown' });

function none(result: PlaceCallResult): NumberId {
  return { kind: 'none', result };
}

/** @returns null if the signal aborts first. */
function unlessAborted(reading: Promise<NumberList>, signal: AbortSignal): Promise<NumberList | null> {
  return new Promise((resolve, reject) => {
    const give = () => resolve(null);
    signal.addEventListener('abort', give, { once: true });
    void reading.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
