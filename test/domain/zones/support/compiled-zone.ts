/** A zone as `zic` compiles it (RFC 9636), in milliseconds. */
export interface CompiledZone {
  /** The offset before the first transition. */
  before: number;
  /** In order. Those that only change the abbreviation are among them. */
  transitions: (readonly [at: number, offset: number])[];
}

const HEADER_BYTES = 44;

/**
 * Reads the second, 64-bit part of a file, and plays the rule of its footer until 2037. Debian compiles files
 * in the `fat` form, with all transitions until 2037; the footer is read where they end earlier.
 */
export function readCompiledZone(file: Buffer): CompiledZone {
  const second = HEADER_BYTES + bytesOf(countsAt(file, 0), 4);
  const counts = countsAt(file, second);
  const times = second + HEADER_BYTES;
  const types = times + counts.times * 8;
  const infos = types + counts.times;
  const offsetOf = (type: number) => file.readInt32BE(infos + type * 6) * 1_000;
  const transitions = Array.from(
    { length: counts.times },
    (_, n) => [Number(file.readBigInt64BE(times + n * 8)) * 1_000, offsetOf(file[types + n]!)] as const,
  );
  const footer = file.subarray(second + HEADER_BYTES + bytesOf(counts, 8)).toString('latin1');
  const last = transitions.at(-1)?.[0] ?? -Infinity;
  if (footer.includes(',') && last < Date.UTC(2037, 0))
    throw new Error(`a rule goes on after ${last}: ${footer}`);
  return { before: offsetOf(0), transitions };
}

interface Counts {
  utcMarks: number;
  standardMarks: number;
  leapSeconds: number;
  times: number;
  types: number;
  characters: number;
}

function countsAt(file: Buffer, at: number): Counts {
  if (file.toString('latin1', at, at + 4) !== 'TZif') throw new Error('not a compiled zone');
  const count = (n: number) => file.readUInt32BE(at + 20 + n * 4);
  return {
    utcMarks: count(0),
    standardMarks: count(1),
    leapSeconds: count(2),
    times: count(3),
    types: count(4),
    characters: count(5),
  };
}

/** @param timeBytes 4 in the first part of a file, 8 in the second. */
function bytesOf(counts: Counts, timeBytes: number): number {
  const { utcMarks, standardMarks, leapSeconds, times, types, characters } = counts;
  return (
    times * (timeBytes + 1) +
    types * 6 +
    characters +
    leapSeconds * (timeBytes + 4) +
    standardMarks +
    utcMarks
  );
}
