import { query, type Transactions } from '../../database/transactions.js';
import { movedOpening } from '../../domain/moved-opening.js';
import { changesBetween } from '../../domain/zones/changes.js';
import { type PackedZones } from '../../domain/zones/packed-zones.js';
import { isOlderVersion, zoneData } from '../../domain/zones/time-zone.js';
import { ZoneData } from '../../domain/zones/zone-data.js';
import {
  type CallOfZoneRow,
  FIND_CALLS_OF_ZONES,
  ZONE_DATA_IN_FORCE,
  type ZoneDataRow,
} from './zone-moves.sql.js';

const PAGE_SIZE = 500;
const YEARS_MS = 5 * 365 * 86_400_000;
export const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/** A change of the zone data, by which pending calls move. */
export interface ZoneDataChange {
  before: ZoneData;
  /** The zones whose clocks changed, with their other names, in lower case. */
  zones: string[];
  /** When the newer data came into force; calls were scheduled by them since. */
  since: Date | 'infinity';
}

/** A call, and the opening to which it moves. */
export interface MovingCall {
  row: CallOfZoneRow;
  runsAt: Date;
}

/** The change from older data to those of this process. */
export function changeFrom(packed: string, since: ZoneDataChange['since'], now = Date.now()): ZoneDataChange {
  const before = new ZoneData(JSON.parse(packed) as PackedZones);
  const data = zoneData();
  const changed = new Set(changesBetween(before, data, now, now + YEARS_MS).map(({ zone }) => zone));
  const zones = data.names().filter((name) => changed.has(data.zone(name)?.name ?? ''));
  return { before, zones: zones.map((name) => name.toLowerCase()), since };
}

/** The calls that a change moves, in pages; a page may have none. */
export async function* movingCalls(
  transactions: Transactions,
  { before, zones, since }: ZoneDataChange,
): AsyncGenerator<MovingCall[]> {
  for (let after = { position: '-infinity', id: LEAST_ID }; zones.length > 0;) {
    const rows: CallOfZoneRow[] = await transactions.read<CallOfZoneRow>(
      query(FIND_CALLS_OF_ZONES, zones, since, after.position, after.id, PAGE_SIZE),
    );
    yield rows.flatMap((row) => {
      const runsAt = row.zone === null ? null : openingOf(row, row.zone, before);
      return runsAt === null ? [] : [{ row, runsAt }];
    });
    const last = rows.at(-1);
    if (rows.length < PAGE_SIZE || last === undefined) return;
    after = last;
  }
}

function openingOf(row: CallOfZoneRow, zone: string, before: ZoneData): Date | null {
  const call = {
    zone,
    callingHours: row.calling_hours,
    closedDates: row.closed_dates ?? [],
    acceptedAt: row.accepted_at,
    firstRunsAt: row.first_runs_at,
    runsAt: row.runs_at,
    notBefore: row.not_before,
    notAfter: row.not_after,
  };
  return movedOpening(call, before, row.now);
}

/**
 * How many pending calls the data of this process move: those that have not moved yet, or, if the data are newer
 * than those in force, those that would move. Null if the data of this process are older.
 */
export async function countMovingCalls(transactions: Transactions): Promise<number | null> {
  const [row] = await transactions.read<ZoneDataRow>(query(ZONE_DATA_IN_FORCE, true));
  const own = zoneData().version;
  if (row?.version == null || row.data === null || row.since === null) return 0;
  if (isOlderVersion(own, row.version)) return null;
  const isInForce = own === row.version;
  const packed = isInForce ? row.before : row.data;
  if (packed === null) return 0;
  let moving = 0;
  const change = changeFrom(packed, isInForce ? row.since : 'infinity');
  for await (const page of movingCalls(transactions, change)) moving += page.length;
  return moving;
}
