import { type CallingHours, nextOpening } from './calling-hours.js';
import { mayReschedule } from './expiry.js';
import { zoneData } from './zones/time-zone.js';
import { type ZoneData } from './zones/zone-data.js';

/** A pending call that waits for the opening `runsAt` of its agent's hours in `zone`. */
export interface WaitingCall {
  zone: string;
  callingHours: CallingHours;
  closedDates: readonly string[];
  acceptedAt: Date;
  firstRunsAt: Date;
  runsAt: Date;
  /** The `notBefore` of the trigger, an instant that no zone moves. */
  notBefore: Date | null;
  notAfter: Date | null;
}

/**
 * The opening to which a call moves that was scheduled by the zone data `before`: the first opening from the same
 * local time on, but not before its `notBefore`, by the data of this process. Null if it stays: the data agree about it, it is due already, or it
 * could only move to a day that is too late, which its firing decides.
 */
export function movedOpening(call: WaitingCall, before: ZoneData, now: Date): Date | null {
  const [old, zone] = [before.zone(call.zone), zoneData().zone(call.zone)];
  if (old === undefined || zone === undefined || call.runsAt <= now) return null;
  const due = call.runsAt.getTime();
  const wall = due + old.at(due).offset;
  // The offset at the instant itself may differ from that at the instant before the move.
  const instant = wall - zone.at(wall - zone.at(due).offset).offset;
  const earliest = call.notBefore?.getTime() ?? -Infinity;
  if (instant === due && due !== earliest) return null;
  // The opening that the trigger computed from `notBefore` is computed from it again.
  const isFirst = call.notBefore !== null && call.firstRunsAt.getTime() === due;
  const from = isFirst ? earliest : Math.max(instant, earliest);
  const runsAt = nextOpening(call, call.zone, new Date(Math.max(from, now.getTime())));
  return runsAt.getTime() === due || !mayReschedule(runsAt, call) ? null : runsAt;
}
