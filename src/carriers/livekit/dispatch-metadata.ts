import { type PlaceCallRequest } from '../carrier.js';
import { calleeIdentity } from './room.js';

/** Of {@link dispatchMetadata}; a new number where an agent that reads the old one would go wrong. */
export const METADATA_VERSION = 1;

/** The metadata of the agent's job, which describe the call: JSON of one object. */
export function dispatchMetadata(request: PlaceCallRequest): string {
  const { callRequestId, teamId, agentId, to, from, prompt, firstMessage, variables } = request;
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
  });
}
