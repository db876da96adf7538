import { playByDecide } from './play-by-decide.js';
import { playByMinutes } from './play-by-minutes.js';
import { type Play } from './play.js';

/**
 * What the two readings of one play say differently, for people; undefined where they agree in everything.
 */
export function disagreement(play: Play): string | undefined {
  const decided = playByDecide(play);
  const played = playByMinutes(play);
  const faults: string[] = decided.untrue.map((look) => `an untrue nextAttemptAt: ${look}`);
  const compare = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      faults.push(`${what}: decide ${JSON.stringify(one)}, minutes ${JSON.stringify(other)}`);
    }
  };
  compare('dials', decided.dials, played.dials);
  compare('end', decided.end, played.end);
  let position = 0;
  for (const { at, waitingFor } of decided.looks) {
    while ((played.waits[position + 1]?.at ?? Infinity) <= at) position++;
    compare(`at ${new Date(at).toISOString()}`, waitingFor, played.waits[position]?.waitingFor);
  }
  return faults.length === 0 ? undefined : faults.slice(0, 4).join('\n');
}
