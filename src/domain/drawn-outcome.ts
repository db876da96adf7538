/** How likely each outcome of a call is, from 0 to 1. What is left to 1 is `failed`. */
export interface OutcomeChances {
  completed: number;
  no_answer: number;
  busy: number;
  voicemail: number;
}

export const CHANCE_NAMES = ['completed', 'no_answer', 'busy', 'voicemail'] as const;
export type DrawnOutcome = keyof OutcomeChances | 'failed';

/** The seed of a draw; JavaScript keeps every whole number up to this one. */
export const MAX_SEED = Number.MAX_SAFE_INTEGER;
/** Fractions such as 0.1 are not kept exactly, so their sum may be a little more than 1. */
const ROUNDING = 1e-9;

/**
 * The outcome of the n-th call to a number. The same for the same arguments, so that a forecast and the
 * simulator agree. MurmurHash3 (32 bits, seed 0) of `seed:number:n` is taken as a fraction of 2^32. It falls
 * into one of the ranges that the chances make in their order.
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
    // Of chances that add up to 1, nothing is left by rounding.
    if (drawn < end || end > 1 - ROUNDING) return name;
  }
  return 'failed';
}

/**
 * What is wrong with chances, and the key of it, where it is one; undefined if they are valid. Absent ones
 * are 0.
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
