/**
 * The facts by which the caller ID of a call is chosen. The contract's precedence (4.1, rule 3) is: the
 * request's pool, the request's `fromPhoneNumber`, the agent's pool, the agent's number. If the chosen source
 * has no usable number, no other source is tried.
 */
export interface CallerIdFacts {
  /**
   * null: the request names no pool. `known`: the pool is the team's. `usable`: at least one number of the
   * pool is usable.
   */
  requestPool: { known: boolean; usable: boolean } | null;
  /** null: the request names no number. `usable`: the number is the team's, active and outbound-enabled. */
  fromNumber: { usable: boolean } | null;
  agentPool: { usable: boolean } | null;
  agentNumber: { usable: boolean } | null;
}

export type CallerIdReason = 'FROM_NUMBER_INVALID' | 'NUMBER_POOL_INVALID' | 'NO_CALLER_ID';
export type CallerIdSource = 'request_pool' | 'from_number' | 'agent_pool' | 'agent_number';

export type CallerIdChoice = { ok: true; source: CallerIdSource } | { ok: false; reason: CallerIdReason };

/**
 * The choice at the trigger. An unusable `fromPhoneNumber` is refused even if a pool takes precedence over
 * it.
 */
export function resolveCallerId(facts: CallerIdFacts): CallerIdChoice {
  if (facts.fromNumber && !facts.fromNumber.usable) return { ok: false, reason: 'FROM_NUMBER_INVALID' };
  if (facts.requestPool) {
    return facts.requestPool.known && facts.requestPool.usable
      ? { ok: true, source: 'request_pool' }
      : { ok: false, reason: 'NUMBER_POOL_INVALID' };
  }
  if (facts.fromNumber) return { ok: true, source: 'from_number' };
  if (facts.agentPool) return usable(facts.agentPool, 'agent_pool');
  if (facts.agentNumber) return usable(facts.agentNumber, 'agent_number');
  return { ok: false, reason: 'NO_CALLER_ID' };
}

function usable(source: { usable: boolean }, name: CallerIdSource): CallerIdChoice {
  return source.usable ? { ok: true, source: name } : { ok: false, reason: 'NO_CALLER_ID' };
}

/**
 * Picks the number of a pool for the next claim of a batch; null for an empty pool. The facts do not contain
 * the other claims of the batch, so `picks` counts them. Of the numbers that the batch has picked least
 * often, the least recently used number is picked.
 *
 * @param numbers the pool's usable numbers, the least recently used first.
 * @param picks how often the batch has picked each number.
 */
export function pickFromPool(numbers: readonly string[], picks: ReadonlyMap<string, number>): string | null {
  const count = (number: string) => picks.get(number) ?? 0;
  const least = Math.min(...numbers.map(count));
  return numbers.find((number) => count(number) === least) ?? null;
}

/** The number of each source at the claim; `pick` is null if the source has no usable number any more. */
export interface CallerIdCandidates {
  requestPool: { pick: string | null } | null;
  fromNumber: { pick: string | null } | null;
  agentPool: { pick: string | null } | null;
  agentNumber: { pick: string | null } | null;
}

/** At the claim: the number of the first source that is set, or null if that source has no usable number. */
export function pickCallerId(candidates: CallerIdCandidates): string | null {
  const { requestPool, fromNumber, agentPool, agentNumber } = candidates;
  return (requestPool ?? fromNumber ?? agentPool ?? agentNumber)?.pick ?? null;
}
