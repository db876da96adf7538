import { type Pool } from 'pg';
import { COMPLIANCE_MODES, type ComplianceMode } from '../../src/domain/compliance/facts.js';
import { fill, type Group, SQL } from './data.js';
import { addRegister, type RunSql } from './register-version.js';

/** The register that the federal pack of the United States reads. */
const REGISTER = 'us-ftc-dnc';
const REGISTER_NUMBERS = 1_000_000;
/** Of an area code that no contact has. */
const LISTED = `SELECT 12012000000 + n FROM generate_series(1, ${REGISTER_NUMBERS}) AS n`;
/** Longer ago than every cap and cool-off of the packs looks, so that none of them refuses a call. */
const CALLED_DAYS_AGO = 40;
const TEAMS = 100;
const CONTACTS = 50_000;

const NOON = 12;

/**
 * Whether the contact states a zone, in which it is about noon, so that every call is dialed at once; or has that of its
 * number, so that it may be night there.
 */
export const KINDS = ['zone stated', 'zone by number'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Of states with a pack and of one without, in three zones. None of them forbids recorded calls outright or closes on
 * a weekday, so that a consent and the hour decide.
 */
const AREA_CODES = ['212', '305', '310', '317', '405', '410', '503', '206'] as const;

/** Teams that differ in their mode alone, each with contacts of its own. */
export const GROUPS_OF_MODES = Object.fromEntries(
  COMPLIANCE_MODES.map((mode, n): [ComplianceMode, Group] => [
    mode,
    {
      firstTeam: n * TEAMS,
      teams: TEAMS,
      firstContact: n * CONTACTS,
      contacts: CONTACTS,
      calls: CONTACTS,
      daysAgo: CALLED_DAYS_AGO,
      areaCodes: AREA_CODES,
    },
  ]),
) as Record<ComplianceMode, Group>;

/** The contacts of a group that are of the kind: one half each. */
export function contactsOf({ firstContact, contacts }: Group, kind: Kind): { first: number; count: number } {
  const count = contacts / KINDS.length;
  return { first: firstContact + KINDS.indexOf(kind) * count, count };
}

/**
 * Every team, contact and earlier call of {@link GROUPS_OF_MODES}; a written consent of each person, also to teams whose
 * mode is `off`; and a register in force that lists none of them.
 */
export async function fillModes(db: Pool): Promise<void> {
  await fill(db, Object.values(GROUPS_OF_MODES));
  for (const [mode, group] of Object.entries(GROUPS_OF_MODES)) {
    const { firstTeam, teams } = group;
    // All packs of the place, and every rule of theirs: the purpose and the voice are not set.
    await db.query(
      `UPDATE teams SET compliance = jsonb_build_object('mode', $1::text)
       WHERE id IN (SELECT ${SQL.team('n')} FROM generate_series($2::integer, $3::integer) AS n)`,
      [mode, firstTeam, firstTeam + teams - 1],
    );
    const { first, count } = contactsOf(group, 'zone stated');
    await db.query(
      `UPDATE contacts SET timezone = $1
       WHERE id IN (SELECT md5('contact' || n)::uuid FROM generate_series($2::integer, $3::integer) AS n)`,
      [zoneOfNoon(new Date()), first, first + count - 1],
    );
  }
  await db.query(
    `INSERT INTO consents (team_id, phone_number, level, source, granted_at, created_at)
     SELECT team_id, phone_number, 'expressWritten', 'benchmark', now() - interval '30 days', now() FROM contacts`,
  );
  const run: RunSql = async <Row extends object>(sql: string, values?: unknown[]) =>
    (await db.query<Row>(sql, values)).rows;
  await addRegister(run, REGISTER, LISTED);
  await db.query('VACUUM ANALYZE');
}

/** A zone of IANA in which it is noon or up to an hour later; its name counts hours west of Greenwich. */
function zoneOfNoon(now: Date): string {
  const west = now.getUTCHours() - NOON;
  return `Etc/GMT${west < 0 ? '-' : '+'}${Math.abs(west)}`;
}

/** What the calls of one slice came to. */
export interface Outcome {
  calls: number;
  scheduled: number;
  /** Of the calls, those whose decision says what packs made of them. */
  judged: number;
}

/** @param measured SQL: the calls of the slice. */
export async function outcomeOf(db: Pool, measured: string): Promise<Outcome> {
  const { rows } = await db.query<Outcome>(
    `SELECT count(*)::integer AS calls, (count(*) FILTER (WHERE c.status = 'scheduled'))::integer AS scheduled,
       (count(*) FILTER (WHERE d.decision ? 'compliance'))::integer AS judged
     FROM (SELECT id, status FROM call_requests WHERE ${measured}) c LEFT JOIN call_details d USING (id)`,
  );
  return rows[0] ?? { calls: 0, scheduled: 0, judged: 0 };
}
