/** The agent that a request names, and the team of its key. */
export interface Access {
  agentFound: boolean;
  /** null: the API key is unknown, revoked, expired, or of another team than the agent. */
  teamId: string | null;
}

export interface Denied {
  kind: 'denied';
  reason: 'AGENT_NOT_FOUND' | 'INVALID_API_KEY';
}

/** The agent is checked before the key. With a wrong key, a request learns only whether the agent exists. */
export function deniedBy({ agentFound, teamId }: Access): Denied | null {
  if (!agentFound) return { kind: 'denied', reason: 'AGENT_NOT_FOUND' };
  return teamId === null ? { kind: 'denied', reason: 'INVALID_API_KEY' } : null;
}

/**
 * Why a request may not trigger a call; null: it may.
 *
 * @param requestTeamId the request's `teamId`, which must be the key's own team.
 */
export function refusedBy(
  access: Access,
  requestTeamId: string | null,
): Denied | { kind: 'other_team' } | null {
  const denied = deniedBy(access);
  if (denied !== null) return denied;
  return requestTeamId !== null && requestTeamId !== access.teamId ? { kind: 'other_team' } : null;
}
