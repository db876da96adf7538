import { createHash, randomBytes } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { buildAgent, buildApiKey, buildPhoneNumber, buildTeam, type Row } from './builders.js';

/** A team that can place calls: a key, one number, and an agent that may dial at any time. */
export interface Caller {
  teamId: string;
  apiKey: string;
  callerNumber: string;
  agentId: string;
}

export async function buildCaller(db: DataSource, team: Row = {}, agent: Row = {}): Promise<Caller> {
  const { id: teamId } = await buildTeam(db, team);
  const apiKey = `od_test_${randomBytes(16).toString('hex')}`;
  await buildApiKey(db, teamId, { key_hash: createHash('sha256').update(apiKey).digest() });
  const number = await buildPhoneNumber(db, teamId);
  const { id: agentId } = await buildAgent(db, teamId, {
    outbound_phone_number: number.phone_number,
    ...agent,
  });
  return { teamId, apiKey, callerNumber: number.phone_number, agentId };
}

export const NINE_TO_FIVE = [{ start: '09:00', end: '17:00' }];

/** Calling hours of an agent in this zone: Monday to Friday, nine to five. */
export function weekdays(timezone: string): Row {
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  return { calling_hours: Object.fromEntries(days.map((day) => [day, NINE_TO_FIVE])), timezone };
}

/**
 * Calling hours that are closed at this moment in UTC, and open again in about `hours` hours, for one hour.
 */
export function hoursOpeningIn(hours: number, now = new Date()): Row {
  const start = new Date(now.getTime() + hours * 3_600_000);
  const end = new Date(start.getTime() + 3_600_000);
  const time = (at: Date) => at.toISOString().slice(11, 16);
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  return {
    calling_hours: Object.fromEntries(days.map((day) => [day, [{ start: time(start), end: time(end) }]])),
    timezone: 'UTC',
  };
}
