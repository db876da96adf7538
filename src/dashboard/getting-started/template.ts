import { type CallingHours, weekdays } from '../../domain/calling-hours.js';

/** Monday to Friday, nine to five. */
export const WEEKDAY_HOURS: CallingHours = Object.fromEntries(
  weekdays.slice(0, 5).map((day) => [day, [{ start: '09:00', end: '17:00' }]]),
);

/** An agent that can call at once; a person changes what it says. @param team its name. */
export function agentTemplate(team: string) {
  return {
    name: 'Appointment reminder',
    firstMessageTemplate: `Hello {{contact.name | there}}, this is the assistant of ${team}. Do you have a minute?`,
    promptTemplate:
      `You call on behalf of ${team} to remind a person of an appointment. Say at once that you are an automated assistant. ` +
      'Be polite and brief. Confirm the appointment, or take down that the person wants another one. ' +
      'If the person does not want to be called, apologize, say that you will not call again, and end the call.',
  };
}
