import { type PlaceCallRequest } from '../carrier.js';
import { calleeIdentity } from './room.js';

/**
 * The version of {@link dispatchMetadata}. It increases with a change that agents for the old version cannot
 * read.
 */
export const METADATA_VERSION = 1;

/** The metadata of the agent's job: a JSON object that describes the call. */
export function dispatchMetadata(request: PlaceCallRequest): string {
  const { callRequestId, teamId, agentId, to, from, prompt, firstMessage, variables, disclosures } = request;
  return JSON.stringify({
    version: METADATA_VERSION,
    callRequestId,
    teamId,
    agentId,
    phoneNumber: to,
    callerId: from,
    participantIdentity: calleeIdentity(callRequestId),
    prompt,
    firstMessage,
    variables,
    ...(disclosures !== undefined && { disclosures }),
  });
}
