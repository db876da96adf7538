/** The types of events. The triggers of the database write these names. */
export const EVENT_TYPES = [
  'call.scheduled',
  'call.started',
  'call.ended',
  'call.unknown',
  'call.result',
  'enrollment.created',
  'enrollment.ended',
  'contact.opted_out',
  'campaign.paused',
  'campaign.resumed',
  'import.finished',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
