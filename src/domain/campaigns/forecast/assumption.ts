import { type Parsed } from '../../calling-hours.js';
import { CHANCE_NAMES, faultOfChances } from '../../drawn-outcome.js';
import { at, fault, parsedBy, readFields } from '../definition/reader.js';
import { type Assumption } from './scene.js';

/** No call that a carrier reports lasts longer. */
export const MAX_CALL_SECONDS = 86_400;

/** Validates `assume`; the message names the path of what is wrong. Chances that are absent are 0. */
export function parseAssumption(input: unknown): Parsed<Assumption> {
  return parsedBy(() => {
    const path = 'assume';
    const { seconds, ...chances } = readFields(input, path, [...CHANCE_NAMES, 'seconds']);
    const wrong = faultOfChances(chances);
    if (wrong !== undefined) fault(wrong.name === undefined ? path : at(path, wrong.name), wrong.problem);
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MAX_CALL_SECONDS))
      fault(at(path, 'seconds'), `must be a number above 0, at most ${MAX_CALL_SECONDS}`);
    const {
      completed = 0,
      no_answer = 0,
      busy = 0,
      voicemail = 0,
      ...others
    } = chances as Partial<Assumption>;
    return { completed, no_answer, busy, voicemail, ...others, seconds };
  });
}
