import { REFUSAL_OUTCOMES } from './refused-by.js';

/** The probability of each outcome of a call, from 0 to 1. `failed` has the remaining probability. */
export interface OutcomeChances {
  completed: number;
  no_answer: number;
  busy: number;
  voicemail: number;
  declined?: number;
  network_blocked?: number;
}

/** The order determines what is drawn, so new names come last. */
export const CHANCE_NAMES = ['completed', 'no_answer', 'busy', 'voicemail', ...REFUSAL_OUTCOMES] as const;
export type DrawnOutcome = keyof OutcomeChances | 'failed';

/** The largest seed of a draw. JavaScript represents every whole number up to it exactly. */
export const MAX_SEED = Number.MAX_SAFE_INTEGER;
/** Fractions such as 0.1 are not represented exactly, so their sum can differ slightly from 1. */
const ROUNDING = 1e-9;

/**
 * Draws the outcome of the n-th call to a number. The same arguments give the same outcome, so that a
 * forecast and the simulator agree. The function divides the MurmurHash3 (32 bits, seed 0) of `seed:number:n`
 * by 2^32. Each outcome has a range as wide as its chance; the ranges follow the order of `CHANCE_NAMES`. The
 * outcome is the one whose range contains the quotient.
 *
 * @param number in E.164. @param n 1 for the first call.
 */
export function drawOutcome(
  chances: Partial<OutcomeChances>,
  seed: number,
  number: string,
  n: number,
): DrawnOutcome {
  const drawn = murmur3(`${seed}:${number}:${n}`) / 2 ** 32;
  let end = 0;
  for (const name of CHANCE_NAMES) {
    end += chances[name] ?? 0;
    // If the chances add up to 1, rounding must not leave a range for `failed`.
    if (drawn < end || end > 1 - ROUNDING) return name;
  }
  return 'failed';
}

/**
 * What is wrong with the chances; undefined if they are valid. `name` is the chance that is wrong. It is
 * absent if only the sum is wrong. Absent chances are 0.
 */
export function faultOfChances(
  chances: Partial<Record<keyof OutcomeChances, unknown>>,
): { name?: keyof OutcomeChances; problem: string } | undefined {
  let sum = 0;
  for (const name of CHANCE_NAMES) {
    const chance = chances[name] ?? 0;
    if (typeof chance !== 'number' || !(chance >= 0 && chance <= 1))
      return { name, problem: 'must be a number from 0 to 1' };
    sum += chance;
  }
  if (sum <= 1 + ROUNDING) return undefined;
  return { problem: `must have ${CHANCE_NAMES.join(', ')} that add up to at most 1; the rest is failed` };
}

/** MurmurHash3, x86, 32 bits, seed 0. @param text of ASCII. */
export function murmur3(text: string): number {
  let hash = 0;
  let block = 0;
  for (let index = 0; index < text.length; index += 1) {
    const shift = (index % 4) * 8;
    block |= text.charCodeAt(index) << shift;
    if (shift !== 24) continue;
    hash ^= scrambled(block);
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6546b64) | 0;
    block = 0;
  }
  hash ^= scrambled(block) ^ text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const rotated = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));
const scrambled = (block: number) => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593);
