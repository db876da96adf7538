import { type DataSource } from 'typeorm';
import { evaluateGuardrails } from '../../src/domain/guardrails/guardrails.js';
import { guardrailFacts, NOW } from '../domain/support/facts.js';
import { insertRow, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';

export const CLAIM = { claimed_at: NOW, processed_at: NOW, caller_id: '+14155550100' };

/** Calls, and the text of a page in New York about each at NOW. */
export const TOLD: [row: Row, sentence: string][] = [
  [{ status: 'completed', ...CLAIM }, 'Called on Fri 2026-11-20 10:00, and it was answered.'],
  [{ status: 'voicemail', ...CLAIM }, 'Called on Fri 2026-11-20 10:00, and it reached a voicemail.'],
  [
    { status: 'failed', ...CLAIM, reason: 'congestion' },
    'Called on Fri 2026-11-20 10:00, and it failed: congestion.',
  ],
  [
    { status: 'failed', claimed_at: NOW, reason: 'NOT_DIALED' },
    'Not called: the worker was too late to dial after its claim.',
  ],
  [
    { status: 'dial_unknown', ...CLAIM, reason: 'NO_WORD' },
    'Perhaps called on Fri 2026-11-20 10:00: the carrier gave no clear answer: the carrier reported nothing for longer than a call can last. It is not dialed again.',
  ],
  [{ status: 'dialing', ...CLAIM }, 'Being dialed since Fri 2026-11-20 10:00.'],
  [{ status: 'blocked', reason: 'DO_NOT_CALL' }, 'Not called: the number is on the Do Not Call list.'],
  [{ status: 'expired', expires_at: NOW }, 'Not called: it expired on Fri 2026-11-20 10:00.'],
  [{ status: 'canceled' }, 'Not called: the team canceled it.'],
  [
    { status: 'scheduled', runs_at: new Date('2026-11-20T18:30:00Z') },
    'Not called yet: to be dialed on Fri 2026-11-20 13:30, in 3 h 30 min.',
  ],
  [
    { status: 'queued', runs_at: new Date('2026-11-20T14:58:00Z') },
    'Not called yet: due since Fri 2026-11-20 09:58, 2 min ago.',
  ],
];

/** A call of which every text that a page may show is this one, also its team's and its contact's names. */
export async function buildHostileCall(
  db: DataSource,
  hostile: string,
): Promise<{ id: string; other: Caller; phoneNumber: string }> {
  const other = await buildCaller(db, { name: hostile }, { name: hostile });
  const phoneNumber = nextNumber();
  await insertRow(db, 'contacts', { team_id: other.teamId, phone_number: phoneNumber, name: hostile });
  await insertRow(db, 'do_not_call', {
    team_id: other.teamId,
    phone_number: phoneNumber,
    reason: hostile,
  });
  const decision = {
    ...evaluateGuardrails(guardrailFacts(), NOW),
    rules: [{ reason: hostile, allow: false, evidence: { [hostile]: hostile }, retryAt: NOW.toISOString() }],
  };
  const { id } = await buildStoredCall(db, other, phoneNumber, {
    status: 'failed',
    reason: hostile,
    ...CLAIM,
    carrier: hostile,
    carrier_call_id: hostile,
    prompt: hostile,
    first_message: hostile,
    unknown_placeholders: [hostile],
    decisions: [decision],
    history: [{ at: NOW.toISOString(), from: null, to: hostile, cause: hostile }],
  });
  return { id, other, phoneNumber };
}
