import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { apiKeyOf, type Group, phoneOf, SQL, teamOf } from './data.js';
import { type NextRequest, postRequest } from './load.js';

/** Ids of the data, as `SQL` in `data.ts` makes them. */
export interface Ids {
  agents: Map<number, string>;
  campaigns: Map<number, string>;
}

/** Of all teams up to the last of these groups. */
export async function idsOf(db: Pool, groups: Group[]): Promise<Ids> {
  const teams = Math.max(...groups.map((group) => group.firstTeam + group.teams));
  const { rows } = await db.query<{ n: number; agent: string; campaign: string }>(
    `SELECT n, ${SQL.agent('n')} AS agent, ${SQL.campaign('n')} AS campaign FROM generate_series(0, ${teams - 1}) AS n`,
  );
  return {
    agents: new Map(rows.map(({ n, agent }) => [n, agent])),
    campaigns: new Map(rows.map(({ n, campaign }) => [n, campaign])),
  };
}

/**
 * Walks a group's contacts so that none comes twice in one measurement, and neighbours belong to different
 * teams.
 */
class Walk {
  private index = Math.floor(Math.random() * 1e9);

  constructor(private readonly group: Group) {}

  next(): number {
    this.index += 1;
    return this.group.firstContact + (this.index % this.group.contacts);
  }
}

export function triggers(url: string, group: Group, ids: Ids): NextRequest {
  const walk = new Walk(group);
  return () => {
    const contact = walk.next();
    const team = teamOf(group, contact);
    return postRequest(url, `/api/voice-agents/${ids.agents.get(team)}/calls`, apiKeyOf(team), {
      phoneNumber: phoneOf(contact),
      name: `Contact ${contact}`,
      email: `c${contact}@example.com`,
      bench: true,
      topic: 'the appointment',
      reference: randomUUID(),
    });
  };
}

export function enrollments(url: string, group: Group, ids: Ids): NextRequest {
  const walk = new Walk(group);
  return () => {
    const contact = walk.next();
    const team = teamOf(group, contact);
    return postRequest(url, '/api/campaigns/contact-enrollments', apiKeyOf(team), {
      phoneNumber: phoneOf(contact),
      campaignId: ids.campaigns.get(team),
      name: `Contact ${contact}`,
      email: `c${contact}@example.com`,
      bench: true,
    });
  };
}
