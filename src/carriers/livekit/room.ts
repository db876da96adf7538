const ROOM = /^call-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,9})$/;

/**
 * The room of one dial. The room's name contains the generation, so a room of an earlier claim is never
 * mistaken for the room of this claim.
 */
export function roomName(callRequestId: string, generation: number): string {
  return `call-${callRequestId}-${generation}`;
}

/** The call request of a room; null: the room is not Outdial's. */
export function callOfRoom(name: string): string | null {
  return ROOM.exec(name)?.[1] ?? null;
}

/** The identity of the callee as a participant of the room. */
export function calleeIdentity(callRequestId: string): string {
  return `phone-${callRequestId}`;
}
