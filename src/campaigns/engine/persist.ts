import { type ClaimedCall } from '../../dialing/dial.service.js';
import { scriptOf } from '../../dialing/claim/agent-facts.js';
import { type ClaimDecision, claimOf } from '../../dialing/claim/claim.js';
import { render } from '../../dialing/claim/script.js';
import { type PacingSlot } from '../../pacing/pacer.js';
import { type Query, query, type TransactionStep } from '../../database/transactions.js';
import { type Outlook, WAITING_FOR_REPORTS } from '../../domain/campaigns/decide/decision.js';
import { expiryOf } from '../../domain/expiry.js';
import { type EngineDecision, SHARED_REFUSALS } from './decide.js';
import { type EnrollmentFactsRow } from './facts.sql.js';
import { earlier, IN_CALL_LOOK_MS, nextLook } from './outlook.js';
import {
  AT_ONCE,
  CHANGE_ENROLLMENTS,
  CLAIM_DIALS,
  DIAL_RANK,
  type EnrollmentChange,
  type NewDial,
} from './persist.sql.js';
import { type TimelineEntry } from './timeline.js';

/** The decision about an enrollment. `lifetimeAt` is the end of its lifetime; null: it has no end. */
export interface DecidedEnrollment {
  row: EnrollmentFactsRow;
  decision: EngineDecision;
  lifetimeAt: Date | null;
  /** Only for a decision to dial. */
  claim?: Pick<ClaimDecision, 'callerId' | 'decision' | 'disclosures'> & {
    pacingSlot: PacingSlot | undefined;
  };
}

/** A call to dial, once its claim is committed. */
export interface DialToMake {
  call: ClaimedCall;
  campaignId: string;
  lateSeconds: number;
}

interface Writes {
  change?: EnrollmentChange;
  dial?: { dial: NewDial; toMake: DialToMake };
}

/**
 * Writes all decisions of a batch.
 *
 * @param more writes about the carrier accounts of the dials.
 * @returns the calls to dial after the commit.
 */
export function persist(
  decided: DecidedEnrollment[],
  more: () => Query[] = () => [],
): TransactionStep<DialToMake[]> {
  const writes = decided.map(writesOf);
  const changes = writes.flatMap(({ change }) => change ?? []);
  const dials = writes.flatMap(({ dial }) => dial ?? []);
  if (changes.length === 0) return { rollback: [] };
  const claims =
    dials.length === 0 ? [] : [query(CLAIM_DIALS, JSON.stringify(dials.map(({ dial }) => dial)))];
  return {
    commit: [query(CHANGE_ENROLLMENTS, JSON.stringify(changes)), ...claims, ...more()],
    value: () => dials.map(({ toMake }) => toMake),
  };
}

function writesOf(decided: DecidedEnrollment): Writes {
  const { row, decision, lifetimeAt } = decided;
  const at = row.now.toISOString();
  switch (decision.kind) {
    case 'needs_pacing_slot':
    case 'campaign_paused':
      return {};
    case 'idle': {
      const clocks = { look_at: lifetimeAt, settle_at: lifetimeAt };
      return { change: changeOf(row, { waiting_for: 'no_steps', next_attempt_at: null, ...clocks }) };
    }
    case 'move': {
      const { stepKey: step } = decision;
      const clocks = { look_at: row.now, settle_at: AT_ONCE } as const;
      return { change: changeOf(row, { step, ...clocks }, { at, kind: 'step', step }) };
    }
    case 'end': {
      const { status, endReason } = decision;
      const ended = { waiting_for: null, next_attempt_at: null, look_at: null };
      const change = { ...ended, status, end_reason: endReason };
      return { change: changeOf(row, change, { at, kind: 'ended', status, endReason }) };
    }
    case 'defer':
    case 'hold':
      return outlookWrites(row, decision, lifetimeAt);
    case 'ready':
      return waitWrites(row, decision, lifetimeAt, earlier(row.now, row.look_at));
    case 'dial':
      return dialWrites(decided, decision);
  }
}

/** An enrollment that waits until `lookAt` waits for a report or for the end of its pause, or for its next dial. */
function outlookWrites(
  row: EnrollmentFactsRow,
  outlook: Outlook & { kind: 'defer' | 'hold'; callback: boolean },
  lifetimeAt: Date | null,
): Writes {
  const lookAt = nextLook(row, outlook, lifetimeAt);
  const { waitingFor } = outlook;
  const isForDial = !WAITING_FOR_REPORTS.has(waitingFor) && waitingFor !== 'paused';
  return waitWrites(row, outlook, isForDial ? lifetimeAt : lookAt, lookAt);
}

/**
 * The timeline gets an entry only if `waitingFor` changes. A decision that changes no column is not written.
 *
 * @param settleAt when the enrollment is decided without a dial. @param lookAt when it is dialed or decided.
 */
function waitWrites(
  row: EnrollmentFactsRow,
  wait: Pick<Outlook, 'waitingFor' | 'nextAttemptAt'> & {
    kind: 'defer' | 'hold' | 'ready';
    callback: boolean;
  },
  settleAt: Date | null,
  lookAt: Date | null,
): Writes {
  const { kind, waitingFor, nextAttemptAt } = wait;
  const change = {
    waiting_for: waitingFor,
    next_attempt_at: nextAttemptAt,
    look_at: lookAt,
    settle_at: settleAt,
    dial_rank: rankOf(wait),
  };
  const isNew = waitingFor !== row.waiting_for;
  const instants = ['next_attempt_at', 'look_at', 'settle_at'] as const;
  const isMoved = instants.some((name) => change[name]?.getTime() !== timeOf(row[name]));
  if (!isNew && !isMoved && change.dial_rank === row.dial_rank) return {};
  const entry: TimelineEntry = {
    at: row.now.toISOString(),
    kind: kind === 'hold' ? 'held' : 'deferred',
    waitingFor,
    until: nextAttemptAt?.toISOString() ?? null,
  };
  return { change: changeOf(row, change, ...(isNew ? [entry] : [])) };
}

function rankOf({
  kind,
  waitingFor,
  callback,
}: {
  kind: string;
  waitingFor: string;
  callback: boolean;
}): number {
  if (callback) return DIAL_RANK.callback;
  return kind === 'ready' || SHARED_REFUSALS.has(waitingFor) ? DIAL_RANK.waiting : DIAL_RANK.unseen;
}

function timeOf(instant: Date | number | null): number | undefined {
  return instant === null ? undefined : Number(instant);
}

function dialWrites(
  { row, lifetimeAt, claim: claiming }: DecidedEnrollment,
  { stepKey: step, variables, callback, carrier, dialAt }: Extract<EngineDecision, { kind: 'dial' }>,
): Writes {
  if (claiming === undefined) throw new Error('a dial was decided without a caller ID');
  const { callerId, decision, pacingSlot, disclosures } = claiming;
  const { now } = row;
  const at = now.toISOString();
  const seq = (row.attempts?.at(-1)?.seq ?? 0) + 1;
  const id = row.new_call_id;
  const script = render(scriptOf(row, variables, disclosures));
  const { claim, call } = claimOf(
    { ...row, id, generation: 0, variables },
    { callerId, carrier, script, decision, disclosures },
    { ofCampaign: true, pacingSlot, dialAt },
  );
  const { entry, ...claimed } = claim;
  const dial: NewDial = {
    ...claimed,
    enrollment_id: row.enrollment_id,
    seq,
    team_id: row.team_id,
    campaign_id: row.campaign_id,
    agent_id: row.agent_id,
    contact_id: row.contact_id,
    phone_number: row.phone_number,
    variables,
    expires_at: expiryOf(now),
    step,
    callback,
    history: [
      { at, from: null, to: 'queued', cause: 'campaign' },
      { ...entry, from: 'queued' },
    ],
  };
  const lookAt = earlier(new Date(now.getTime() + IN_CALL_LOOK_MS), lifetimeAt);
  const clocks = { look_at: lookAt, settle_at: lookAt };
  const inCall = { step, waiting_for: 'in_call', next_attempt_at: null, ...clocks, dialed: true };
  const lateSeconds = (now.getTime() - (row.look_at ?? now).getTime()) / 1_000;
  return {
    change: changeOf(row, inCall, { at, kind: 'dial', seq, callRequestId: id, step, callback }),
    dial: { dial, toMake: { call, campaignId: row.campaign_id, lateSeconds } },
  };
}

function changeOf(
  row: EnrollmentFactsRow,
  change: Partial<Omit<EnrollmentChange, 'id' | 'now' | 'entries'>>,
  ...entries: TimelineEntry[]
): EnrollmentChange {
  return {
    id: row.enrollment_id,
    now: row.now,
    status: row.enrollment_status,
    end_reason: null,
    step: row.step,
    waiting_for: row.waiting_for,
    next_attempt_at: row.next_attempt_at,
    look_at: row.look_at,
    settle_at: null,
    dial_rank: DIAL_RANK.unseen,
    dialed: false,
    ...change,
    entries,
  };
}
