import { type Schedule } from '../../calling-hours.js';
import { type LawfulHours } from '../../compliance/lawful-hours.js';

/** What one opening depends on besides the definition and the instant. */
interface OpeningKey {
  agent: Schedule;
  lawful: readonly LawfulHours[];
  zone: string;
}

type Opening = (from: Date) => Date | null;

/** The decisions of an instant ask for it and for the opening after it. */
const MAX_INSTANTS = 8;

/** By the instant, in epoch milliseconds. */
type ByInstant = Map<number, Date | null>;
type ByZone = Map<string, ByInstant>;
type ByLaw = Map<OpeningKey['lawful'], ByZone>;

/**
 * Openings that earlier decisions by one definition have found. A play decides many enrollments at one instant, such as
 * the end of a day's hours, and few of them differ in agent, zone and law. Agents and lists of lawful hours are told
 * apart as objects, and must not change.
 */
export class KeptOpenings {
  private readonly kept = new Map<OpeningKey['agent'], ByLaw>();

  /** @param opening finds what is not kept. */
  keeping({ agent, lawful, zone }: OpeningKey, opening: Opening): Opening {
    const ofAgent = memberOf(this.kept, agent, (): ByLaw => new Map());
    const ofLaw = memberOf(ofAgent, lawful, (): ByZone => new Map());
    const instants = memberOf(ofLaw, zone, (): ByInstant => new Map());
    return (from) => {
      const known = instants.get(from.getTime());
      if (known !== undefined) return known;
      const found = opening(from);
      if (instants.size >= MAX_INSTANTS) instants.clear();
      instants.set(from.getTime(), found);
      return found;
    };
  }
}

function memberOf<Key, Value>(map: Map<Key, Value>, key: Key, made: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = made();
  map.set(key, value);
  return value;
}
