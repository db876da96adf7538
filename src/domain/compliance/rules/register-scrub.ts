import { type RegisterFact } from '../facts.js';
import { type RegisterScrubRule } from '../pack.js';
import { type RuleOutcome } from './rule-outcome.js';

const DAY_MS = 86_400_000;

/** A number on the register is refused by any version of it. @param now epoch milliseconds. */
export function checkRegister(
  { register, maxAgeDays }: RegisterScrubRule,
  registers: readonly RegisterFact[],
  now: number,
): RuleOutcome {
  const known = registers.find((one) => one.register === register);
  const evidence = { register, asOf: known?.asOf ?? null, listed: known?.listed ?? null, maxAgeDays };
  if (known?.listed === true) return { allow: false, reason: 'ON_REGISTER', evidence };
  const isStale =
    known === undefined || (maxAgeDays !== null && Date.parse(known.asOf) + maxAgeDays * DAY_MS < now);
  return isStale ? { allow: false, reason: 'REGISTER_STALE', evidence } : { allow: true, evidence };
}
