const ROOM = /^call-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,9})$/;

/**
 * The room of one dial. The number of the claim is part of it. So a room of an earlier claim that could not
 * be deleted is never taken for this one.
 */
export function roomName(callRequestId: string, generation: number): string {
  return `call-${callRequestId}-${generation}`;
}

/** The call request whose room it is; null: a room that is not Outdial's. */
export function callOfRoom(name: string): string | null {
  return ROOM.exec(name)?.[1] ?? null;
}

/** The identity of the callee as a participant of the room. */
export function calleeIdentity(callRequestId: string): string {
  return `phone-${callRequestId}`;
}
