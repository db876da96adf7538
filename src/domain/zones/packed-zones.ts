/** Zone data as moment-timezone packs them, in `data/packed/latest.json`. */
export interface PackedZones {
  /** IANA's version, such as `2026f`. */
  version: string;
  /** `name|abbreviations|offsets|indexes|instants|population`, see {@link unpackZone}. */
  zones: readonly string[];
  /** `name of a zone|another name of it`. */
  links: readonly string[];
}

/** The offsets of a zone: `offsets[n]` holds from `starts[n - 1]` on, and until `starts[n]`. */
export interface Transitions {
  /** Epoch milliseconds, ascending. Each begins an offset that differs from the one before. */
  starts: number[];
  /** Milliseconds that the wall clock is ahead of UTC; one more than `starts`. */
  offsets: number[];
}

const MINUTE_MS = 60_000;

/**
 * Reads one entry of `zones`. Numbers have the base 60. Offsets are minutes west of UTC. Instants are minutes:
 * the first counts from the epoch, the others from the instant before. Throws a RangeError for an entry that
 * does not have this form.
 */
export function unpackZone(packed: string): Transitions {
  const [name = '', , offsetsText = '', indexes = '', instants = ''] = packed.split('|');
  const fault = () => new RangeError(`the packed zone ${name.slice(0, 64)} cannot be read`);
  // Not negated: UTC's offset is 0, not -0.
  const known = offsetsText.split(' ').map((text) => 0 - Math.round(numberOf(text) * MINUTE_MS));
  const steps = instants === '' ? [] : instants.split(' ').map(numberOf);
  const held = [...indexes].map((index) => known[numberOf(index)]);
  if (held.length !== steps.length + 1) throw fault();
  const transitions: Transitions = { starts: [], offsets: [] };
  let minutes = 0;
  for (const [n, offset] of held.entries()) {
    if (n > 0) minutes += steps[n - 1]!;
    if (offset === undefined || Number.isNaN(offset) || !Number.isFinite(minutes)) throw fault();
    // An entry may change only the abbreviation.
    if (offset === transitions.offsets.at(-1)) continue;
    if (n > 0) {
      const start = Math.round(minutes * MINUTE_MS);
      if (start <= (transitions.starts.at(-1) ?? -Infinity)) throw fault();
      transitions.starts.push(start);
    }
    transitions.offsets.push(offset);
  }
  return transitions;
}

/** @returns NaN for a text that is no number of the base 60. */
function numberOf(text: string): number {
  let value = 0;
  // The value of a digit; 1 before the point.
  let unit = 1;
  const first = text.startsWith('-') ? 1 : 0;
  for (let index = first; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === POINT && unit === 1) unit = 1 / 60;
    else if (unit === 1) value = value * 60 + digitOf(code);
    else {
      value += digitOf(code) * unit;
      unit /= 60;
    }
  }
  if (text.length === first) return NaN;
  return first === 1 ? -value : value;
}

const POINT = 46;

/** 0 to 9, a to z, A to X. */
function digitOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 87;
  if (code >= 65 && code <= 88) return code - 29;
  return code >= 48 && code <= 57 ? code - 48 : NaN;
}
