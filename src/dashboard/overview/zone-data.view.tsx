import { zoneData } from '../../domain/zones/time-zone.js';
import { type UnknownZones } from '../../platform/unknown-zones.js';
import { Badge } from '../frame/controls.js';
import { count, timeIn } from '../design/local-time.js';
import { type Frame } from '../frame/page-frame.service.js';

export const ZONE_DATA =
  'SELECT zone_data_version AS version, zone_data_since AS since FROM platform_settings';

export interface ZoneDataInForceRow {
  version: string | null;
  since: Date | null;
}

interface ZoneDataProps {
  frame: Frame;
  inForce: ZoneDataInForceRow | undefined;
  /** Of all teams. */
  unknown: UnknownZones | undefined;
}

/** By which zone data calls are decided, and what waits because its zone is not known. */
export function ZoneDataSection({ frame: { zone }, inForce, unknown }: ZoneDataProps) {
  const own = zoneData().version;
  const held = unknown === undefined ? [] : heldBy(unknown);
  return (
    <section class="card" id="zone-data">
      <h2>Time zones</h2>
      <p class="soft small">
        {inForce?.version == null || inForce.since === null
          ? `Zone data ${own}; none are in force yet.`
          : `Zone data ${inForce.version}, in force since ${timeIn(zone, inForce.since)}.`}
        {inForce?.version != null && inForce.version !== own && ` This page uses ${own}.`}
      </p>
      {held.length > 0 && (
        <p id="unknown-zones">
          <Badge mood="warn">unknown zones</Badge> In all teams: {held.join(', ')}. They are not called until
          the zone is corrected.
        </p>
      )}
    </section>
  );
}

function heldBy({ agents, contacts, calls, enrollments }: UnknownZones): string[] {
  const kinds: [number, string][] = [
    [agents, 'agent'],
    [contacts, 'contact'],
    [calls, 'due call'],
    [enrollments, 'enrollment'],
  ];
  return kinds.flatMap(([number, kind]) =>
    number === 0 ? [] : [`${count(number)} ${kind}${number === 1 ? '' : 's'}`],
  );
}
