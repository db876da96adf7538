import { setImmediate as othersTurn } from 'node:timers/promises';
import { parsePhoneNumber } from '../domain/phone-number.js';
import { invalid } from '../http/app-error.js';
import { type Team } from '../teams/team.entity.js';

const NUMBERS_A_TURN = 100;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether a value has the shape of E.164, as every stored number has. */
export function isE164(value: unknown): value is string {
  return typeof value === 'string' && E164.test(value);
}

/**
 * A number as an operator writes it, national form included where the team has a default country, in E.164.
 *
 * @throws AppError `INVALID_REQUEST` naming `field`.
 */
export function readTeamNumber(team: Team, input: unknown, field: string): string {
  const parsed = parsePhoneNumber(input, team.defaultCountry, field);
  if (!parsed.ok) throw invalid(parsed.message);
  return parsed.e164;
}

/**
 * Several numbers, without repetitions, in ascending order, which is also the order that locks are taken in.
 *
 * @throws AppError `INVALID_REQUEST` naming the item, such as `phoneNumbers[3]`.
 */
export async function readTeamNumbers(
  team: Team,
  inputs: readonly unknown[],
  field: string,
): Promise<string[]> {
  const numbers = new Set<string>();
  for (const [index, input] of inputs.entries()) {
    // Thousands take a second: other requests are answered in between.
    if (index % NUMBERS_A_TURN === 0) await othersTurn();
    numbers.add(readTeamNumber(team, input, `${field}[${index}]`));
  }
  return [...numbers].sort();
}

/**
 * The number that an address names, or null if it names none. One that is stored may have left the numbering plans
 * since, so E.164 is taken as it is.
 */
export function numberInAddress(team: Team, text: string): string | null {
  if (isE164(text)) return text;
  const parsed = parsePhoneNumber(text, team.defaultCountry);
  return parsed.ok ? parsed.e164 : null;
}
