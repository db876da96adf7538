import { randomUUID } from 'node:crypto';
import { ADA } from './contacts.js';
import { including, oneOf, UUID } from './expectation.js';
import { type Story, textOf } from './story.js';
import { type DemoCast } from './team.js';

/** What a call accepted at once is answered with. */
export const QUEUED = { status: 200, body: { success: true, callRequestId: UUID, contactId: UUID } };

/** What a call that has to wait is answered with. */
export function rescheduledTo(at: Date) {
  return {
    status: 200,
    body: {
      success: true,
      callRequestId: UUID,
      contactId: UUID,
      rescheduled: true,
      runsAt: at.toISOString(),
    },
  };
}

/** The expected history of a call: its states in order, at any instants. */
export function through(...states: string[]) {
  return states.map((to) => including({ to }));
}

/** A call inside calling hours: accepted, dialed, completed. Gives its id. */
export async function dialNow(story: Story, { caller, open, numbers }: DemoCast): Promise<string> {
  story.chapter('A call inside calling hours');
  story.note(
    'Keys that the contract does not name, here topic and offer, are variables of the agent’s prompt.',
  );
  const request = {
    ...caller.post(`/api/voice-agents/${open.id}/calls`, {
      phoneNumber: ADA,
      topic: 'your renewal',
      offer: { name: 'Engine Plus', price: '€49' },
    }),
    idempotencyKey: randomUUID(),
  };
  const accepted = await story.tell('Call now', request, QUEUED);
  const callRequestId = textOf(accepted, 'callRequestId');
  const contactId = textOf(accepted, 'contactId');
  await story.tell(
    'The same request once more, because its answer may have been lost: no second call',
    request,
    {
      status: 200,
      body: { success: true, callRequestId, contactId },
    },
  );
  await story.tellOnce(
    'A moment later: dialed, answered and completed, with what the agent was told to say',
    caller.get(`/api/calls/${callRequestId}`),
    { field: 'status', value: 'completed' },
    {
      status: 200,
      body: including({
        status: 'completed',
        reason: null,
        phoneNumber: ADA,
        callerId: oneOf(...numbers),
        prompt:
          'You call Ada Lovelace of Analytical Engines, a gold customer, about your renewal. ' +
          'Mention that Engine Plus costs €49 a month.',
        firstMessage: 'Hello Ada Lovelace, do you have a minute for your renewal?',
        unknownPlaceholders: [],
        history: through('queued', 'dialing', 'in_progress', 'completed'),
      }),
    },
  );
  return callRequestId;
}

/** A call outside calling hours: scheduled, a reason to refuse a second one, and canceled. */
export async function scheduleAndCancel(story: Story, { caller, open, closed }: DemoCast): Promise<void> {
  story.chapter('A call outside calling hours');
  story.note(
    `In ${closed.timezone} it is ${closed.localTime}; the agent’s next opening is at 09:00 there. Scheduling comes\n` +
      'before the guardrails, which are asked when the call fires.',
  );
  const phoneNumber = '+14155550143';
  const scheduled = await story.tell(
    'Scheduled for the next opening',
    caller.post(`/api/voice-agents/${closed.id}/calls`, { phoneNumber, name: 'Grace Hopper' }),
    rescheduledTo(closed.opensAt),
  );
  const id = textOf(scheduled, 'callRequestId');
  await story.tell(
    'The same number now, by an agent that is open: refused, a call is already scheduled',
    caller.post(`/api/voice-agents/${open.id}/calls`, { phoneNumber }),
    {
      status: 500,
      body: { success: false, message: /already scheduled/, reason: 'ALREADY_SCHEDULED', retryable: true },
    },
  );
  await story.tell('Canceled', caller.post(`/api/calls/${id}/cancel`), {
    status: 200,
    body: including({ status: 'canceled', callerId: null, history: through('scheduled', 'canceled') }),
  });
  await story.tell('Canceled again: it is not pending any more', caller.post(`/api/calls/${id}/cancel`), {
    status: 409,
    body: { error: /canceled/ },
  });
}
