/**
 * Returns a function that multiplies a duration by a random factor within `1 ± fraction` (mulberry32). The
 * same seed gives the same sequence of factors.
 */
export function jitterFrom(seed: number, fraction: number): (ms: number) => number {
  let state = seed >>> 0;
  return (ms) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const unit = ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    return Math.round(ms * (1 + fraction * (2 * unit - 1)));
  };
}
