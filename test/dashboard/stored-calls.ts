import { type DataSource } from 'typeorm';
import { CALL_STATES, type CallState, isFinal, isPending } from '../../src/domain/call-states.js';
import {
  buildAgent,
  buildCall,
  buildCampaign,
  buildContact,
  buildEnrollment,
  insertRow,
} from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';
import { randomFrom } from '../support/random.js';

const MINUTE_MS = 60_000;
const REASONS = ['DO_NOT_CALL', 'RECENTLY_CALLED', 'carrier code 486', null];

/** A call as it was stored, by which a test knows what lists must show. Instants are milliseconds. */
export interface StoredCall {
  id: string;
  teamId: string;
  agentId: string;
  campaignId: string | null;
  phoneNumber: string;
  status: CallState;
  reason: string | null;
  accepted: number;
  runs: number;
  ended: number | null;
  /** Whether it waits for a concurrency slot. */
  waits: boolean;
}

/** A team with agents, contacts and a campaign to draw from. */
interface Source {
  teamId: string;
  agents: string[];
  contacts: { id: string; phone_number: string; enrollment: string }[];
  campaignId: string;
}

async function sourceOf(db: DataSource, { teamId, agentId }: Caller): Promise<Source> {
  const campaign = await buildCampaign(db, teamId, { name: 'Reminders' });
  const { id: second } = await buildAgent(db, teamId);
  const contacts: Source['contacts'] = [];
  for (let n = 0; n < 6; n += 1) {
    const contact = await buildContact(db, teamId, n === 0 ? { name: 'Ada' } : {});
    const keys = { team_id: teamId, campaign_id: campaign.id, contact_id: contact.id };
    const { id: enrollment } = await buildEnrollment(db, {
      ...keys,
      version_id: campaign.current_version_id,
    });
    contacts.push({ ...contact, enrollment });
  }
  return { teamId, agents: [agentId, second], contacts, campaignId: campaign.id };
}

/**
 * Stores calls of the teams in every state, some of them at one instant.
 * @param now milliseconds. @param seed of what is drawn.
 */
export async function storeRandomCalls(
  db: DataSource,
  callers: Caller[],
  now: number,
  count: number,
  seed: number,
): Promise<StoredCall[]> {
  const random = randomFrom(seed);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const minutes = (from: number, to: number) => Math.floor(from + random() * (to - from)) * MINUTE_MS;
  const sources: Source[] = [];
  for (const caller of callers) sources.push(await sourceOf(db, caller));
  const calls: StoredCall[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const { teamId, agents, contacts, campaignId } = pick(sources);
    const contact = pick(contacts);
    const status = pick(CALL_STATES);
    const accepted = now - minutes(0, 2 * 24 * 60);
    const call = {
      teamId,
      agentId: pick(agents),
      phoneNumber: contact.phone_number,
      status,
      accepted,
      campaignId: !isPending(status) && random() < 0.3 ? campaignId : null,
      reason: ['blocked', 'failed', 'dial_unknown'].includes(status) ? pick(REASONS) : null,
      runs: isPending(status) ? now + minutes(-120, 26 * 60) : accepted,
      ended: isFinal(status) ? Math.min(now, accepted + minutes(0, 600)) : null,
      waits: status === 'queued' && random() < 0.3,
    };
    calls.push({ ...call, id: await store(db, call, contact, seq) });
  }
  return calls;
}

async function store(
  db: DataSource,
  call: Omit<StoredCall, 'id'>,
  contact: Source['contacts'][number],
  seq: number,
): Promise<string> {
  const { status, teamId, campaignId } = call;
  const accepted = new Date(call.accepted);
  const undialed = isPending(status) || ['blocked', 'expired', 'canceled'].includes(status);
  const keys = { team_id: teamId, agent_id: call.agentId, contact_id: contact.id };
  const { id } = await buildCall(
    db,
    { ...keys, phone_number: contact.phone_number },
    {
      status,
      reason: call.reason,
      accepted_at: accepted,
      woken_at: accepted,
      runs_at: new Date(call.runs),
      expires_at: new Date(call.runs + 24 * 60 * MINUTE_MS),
      ended_at: call.ended === null ? null : new Date(call.ended),
      ...(!undialed && { claimed_at: accepted, processed_at: accepted, caller_id: '+14155550100' }),
      ...(call.waits && { waiting_since: accepted }),
      enrollment_id: campaignId === null ? null : contact.enrollment,
    },
  );
  if (campaignId !== null) {
    await insertRow(db, 'enrollment_dials', {
      enrollment_id: contact.enrollment,
      seq,
      team_id: teamId,
      campaign_id: campaignId,
      call_request_id: id,
      step: 'first',
      claimed_at: accepted,
    });
  }
  return id;
}
