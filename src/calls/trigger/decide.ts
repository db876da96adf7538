import { decideTrigger, type TriggerDecision, type TriggerFacts } from '../../domain/trigger-decision.js';

/** The agent that a request names, and the team of its key. */
export interface Access {
  agentFound: boolean;
  /** null: the API key is unknown, revoked, expired, or of another team than the agent. */
  teamId: string | null;
}

/** The earlier use of the request's `Idempotency-Key`; `unused` also if the request sent no key. */
export type EarlierUse<Answer> =
  { kind: 'unused' } | { kind: 'replay'; answer: Answer } | { kind: 'reused' } | { kind: 'in_flight' };

export interface Denied {
  kind: 'denied';
  reason: 'AGENT_NOT_FOUND' | 'INVALID_API_KEY';
}

/** A request that is answered before the rules about calls are checked. */
export type EarlyAnswer<Answer> =
  Denied | { kind: 'other_team' } | Exclude<EarlierUse<Answer>, { kind: 'unused' }>;

/** The agent is checked before the key. With a wrong key, a request learns only whether the agent exists. */
export function deniedBy({ agentFound, teamId }: Access): Denied | null {
  if (!agentFound) return { kind: 'denied', reason: 'AGENT_NOT_FOUND' };
  return teamId === null ? { kind: 'denied', reason: 'INVALID_API_KEY' } : null;
}

/**
 * The answer to a request that is decided before the rules about calls; null: these rules decide. Pure, apart
 * from `earlierUse`.
 *
 * @param requestTeamId the request's `teamId`. The id of another team is refused before the
 *   `Idempotency-Key` is checked.
 * @param earlierUse invoked only if the key and the `teamId` are accepted.
 */
export function decideEarly<Answer>(
  access: Access,
  requestTeamId: string | null,
  earlierUse: () => EarlierUse<Answer>,
): EarlyAnswer<Answer> | null {
  const denied = deniedBy(access);
  if (denied !== null) return denied;
  if (requestTeamId !== null && requestTeamId !== access.teamId) return { kind: 'other_team' };
  const use = earlierUse();
  return use.kind === 'unused' ? null : use;
}

/** Decides a request whose API key was accepted. Pure. */
export function decide(facts: TriggerFacts, now: Date): TriggerDecision {
  return decideTrigger(facts, now);
}
