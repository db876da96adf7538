import { type FindCallQuery, type FindCallResult } from '../carrier.js';
import { agentReports } from './agent-reports.js';
import { type RoomServiceClient } from './livekit-session.js';
import { LiveKitFailure } from './once-rpc.js';
import { calleeIdentity, roomName } from './room.js';

/**
 * The number of generations whose rooms are looked up if LiveKit never reported the room. This number
 * suffices, because a call has few wake-ups.
 */
const CLAIMS = 32;

/**
 * Finds a call by the room that its callee is in. LiveKit removes a room as soon as the room has ended, so
 * `not_found` does not mean that the call was not dialed.
 */
export async function findInRooms(rooms: RoomServiceClient, query: FindCallQuery): Promise<FindCallResult> {
  const { callRequestId, carrierCallId } = query;
  const names = Array.from({ length: CLAIMS }, (_, generation) => roomName(callRequestId, generation));
  try {
    const found = await rooms.listRooms(carrierCallId === null ? names : [carrierCallId]);
    for (const room of found) {
      const participants = await participantsOf(rooms, room.name);
      const callee = participants.find(({ identity }) => identity === calleeIdentity(callRequestId));
      if (callee === undefined) continue;
      const { answeredAt } = agentReports(callee.attributes, room.metadata);
      const at = new Date();
      return {
        kind: 'found',
        event: {
          callRequestId,
          carrierCallId: room.name,
          status: 'in_progress',
          at,
          ...(answeredAt !== null && { answeredAt }),
        },
      };
    }
    return { kind: 'not_found' };
  } catch (error) {
    if (!(error instanceof LiveKitFailure)) throw error;
    const { failure } = error;
    return {
      kind: 'unknown',
      reason: failure.kind === 'answered' ? `carrier_http_${failure.status}` : failure.reason,
    };
  }
}

/** Returns no participants if the room has ended since it was listed. */
async function participantsOf(rooms: RoomServiceClient, room: string) {
  try {
    return await rooms.listParticipants(room);
  } catch (error) {
    const gone =
      error instanceof LiveKitFailure &&
      error.failure.kind === 'answered' &&
      error.failure.twirp === 'not_found';
    if (gone) return [];
    throw error;
  }
}
