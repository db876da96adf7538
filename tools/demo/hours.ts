const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Nearer than this, a slow machine might not have done in time what has to be done before the opening. */
const LEAST_NOTICE_MS = 15_000;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

// Zones without daylight saving time, so that the demo knows by plain arithmetic what the service must
// answer. They are at most five hours apart: at any moment it is forenoon or early afternoon in one of them.
const OFFICES = [
  { zone: 'Pacific/Honolulu', offsetHours: -10 },
  { zone: 'America/Bogota', offsetHours: -5 },
  { zone: 'Africa/Accra', offsetHours: 0 },
  { zone: 'Asia/Dubai', offsetHours: 4 },
  { zone: 'Asia/Tokyo', offsetHours: 9 },
] as const;

type Windows = Record<string, { start: string; end: string }[]>;

/** An agent's hours as the demo knows them: its zone, and when it opens, now or next. */
export interface AgentHours {
  timezone: string;
  callingHours: Windows;
  /** The clock in that zone, such as `14:05`. */
  localTime: string;
  opensAt: Date;
}

/** Nine to five where that is now, and will be for at least another hour. */
export function openNow(now = new Date()): AgentHours {
  return officeHours(now, (hour) => hour >= 10 && hour < 16);
}

/** Nine to five where it is evening or night. */
export function closedNow(now = new Date()): AgentHours {
  return officeHours(now, (hour) => hour < 8 || hour >= 18);
}

/** Hours that begin with a full minute, and not before a quarter of a minute from now. */
export function openingSoon(now = new Date()): AgentHours {
  const opensAt = new Date(Math.ceil((now.getTime() + LEAST_NOTICE_MS) / MINUTE_MS) * MINUTE_MS);
  const closesAt = new Date(opensAt.getTime() + 2 * HOUR_MS);
  return {
    timezone: 'UTC',
    callingHours: everyDay(clock(opensAt), clock(closesAt)),
    localTime: clock(now),
    opensAt,
  };
}

function officeHours(now: Date, wanted: (hour: number) => boolean): AgentHours {
  for (const { zone, offsetHours } of OFFICES) {
    // The zone's wall clock, read as if it were UTC.
    const local = new Date(now.getTime() + offsetHours * HOUR_MS);
    const hour = local.getUTCHours();
    if (!wanted(hour)) continue;
    const midnight = Math.floor(local.getTime() / DAY_MS) * DAY_MS;
    const nine = midnight + (hour < 17 ? 9 : 33) * HOUR_MS;
    return {
      timezone: zone,
      callingHours: everyDay('09:00', '17:00'),
      localTime: clock(local),
      opensAt: new Date(nine - offsetHours * HOUR_MS),
    };
  }
  throw new Error('No zone has the wanted time of day.');
}

function everyDay(start: string, end: string): Windows {
  return Object.fromEntries(WEEKDAYS.map((day) => [day, [{ start, end }]]));
}

function clock(at: Date): string {
  return at.toISOString().slice(11, 16);
}
