import { FairSemaphore } from '../../fairness/fair-semaphore.js';

/** The most look-ups in progress at one carrier host. */
export const MAX_IN_PROGRESS = 5;

/** The most look-ups in progress or queued at one carrier host. */
const MAX_IN_PROGRESS_OR_QUEUED = 20;

/**
 * Look-ups of calls at their carriers. A carrier host that does not answer delays only its own look-ups,
 * because each carrier host has its own queue and permits.
 */
export class LookUps {
  private readonly semaphore = new FairSemaphore(Infinity, MAX_IN_PROGRESS);
  private readonly open = new Map<string, number>();
  private readonly underWay = new Set<Promise<void>>();
  private resolved = 0;
  private failure: { error: unknown } | null = null;
  private closed = false;

  /**
   * @param lookUp returns whether it has resolved its call.
   * @returns false if the carrier host already has its maximum of look-ups. The look-up is then not made.
   */
  start(carrierHost: string, lookUp: () => Promise<boolean>): boolean {
    const open = this.open.get(carrierHost) ?? 0;
    if (open >= MAX_IN_PROGRESS_OR_QUEUED) return false;
    this.open.set(carrierHost, open + 1);
    const one = this.semaphore
      .run(carrierHost, async () => {
        if (!this.closed && (await lookUp())) this.resolved += 1;
      })
      .catch((error: unknown) => void (this.failure = { error }))
      .finally(() => {
        this.underWay.delete(one);
        const left = (this.open.get(carrierHost) ?? 1) - 1;
        if (left === 0) this.open.delete(carrierHost);
        else this.open.set(carrierHost, left);
      });
    this.underWay.add(one);
    return true;
  }

  /**
   * Waits for the started look-ups, at most `withinMs`. If `withinMs` is undefined, the wait has no limit.
   *
   * @returns how many calls were resolved since the last invocation.
   * @throws the last error of a look-up since the last invocation.
   */
  async settle(withinMs?: number): Promise<number> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      if (withinMs !== undefined) timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([this.all(), patience]);
    clearTimeout(timer);
    const { resolved, failure } = this;
    this.resolved = 0;
    this.failure = null;
    if (failure !== null) throw failure.error;
    return resolved;
  }

  /** Waits for the look-ups in progress. Queued look-ups are not made. */
  async close(): Promise<void> {
    this.closed = true;
    await this.all();
  }

  private async all(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }
}
