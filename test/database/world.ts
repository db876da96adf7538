import { type DataSource } from 'typeorm';
import {
  buildAgent,
  buildCall,
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildPhoneNumber,
  buildPool,
  buildTeam,
} from '../support/builders.js';

/** Everything that one team can own. */
export async function buildWorld(db: DataSource) {
  const { id: team } = await buildTeam(db);
  const number = (await buildPhoneNumber(db, team)).phone_number;
  const { id: pool } = await buildPool(db, team);
  const { id: agent } = await buildAgent(db, team);
  const { id: contact, phone_number: contactNumber } = await buildContact(db, team);
  const { id: campaign, current_version_id: version } = await buildCampaign(db, team);
  return { team, number, pool, agent, contact, contactNumber, campaign, version };
}

export type World = Awaited<ReturnType<typeof buildWorld>>;

/** Name of the constraint that refused, or null. */
export async function refusedBy(attempt: Promise<unknown>): Promise<string | null> {
  try {
    await attempt;
    return null;
  } catch (error) {
    return (error as { driverError: { constraint: string } }).driverError.constraint;
  }
}

/** Enrolls a world's contact in its campaign, with keys of another world where given. */
export function enroll(db: DataSource, own: World, other: Partial<World> = {}) {
  const { team, campaign, contact, version } = { ...own, ...other };
  return buildEnrollment(db, {
    team_id: team,
    campaign_id: campaign,
    contact_id: contact,
    version_id: version,
  });
}

/** A queued call to a world's contact. */
export function callOf(db: DataSource, own: World, row: Record<string, unknown> = {}) {
  return buildCall(
    db,
    { team_id: own.team, agent_id: own.agent, contact_id: own.contact, phone_number: own.contactNumber },
    row,
  );
}
