import {
  type AgentDispatch,
  DisconnectReason,
  ParticipantInfo,
  ParticipantInfo_Kind,
  ParticipantInfo_State,
  Room,
} from '@livekit/protocol';
import { randomUUID } from 'node:crypto';

/** A room as LiveKit keeps it while it lasts. */
export interface FakeRoom {
  info: Room;
  participants: Map<string, ParticipantInfo>;
  dispatches: AgentDispatch[];
}

/** What LiveKit remembers; a room that has ended is forgotten. */
export class FakeRooms {
  private readonly rooms = new Map<string, FakeRoom>();

  /** The room of this name, which is made where there is none. */
  open(name: string): FakeRoom {
    const existing = this.rooms.get(name);
    if (existing) return existing;
    const info = new Room({ sid: `RM_${randomUUID().slice(0, 8)}`, name, emptyTimeout: 300 });
    const room: FakeRoom = { info, participants: new Map(), dispatches: [] };
    this.rooms.set(name, room);
    return room;
  }

  get(name: string): FakeRoom | undefined {
    return this.rooms.get(name);
  }

  named(names: readonly string[]): FakeRoom[] {
    return [...this.rooms.values()].filter(({ info }) => names.length === 0 || names.includes(info.name));
  }

  delete(name: string): boolean {
    return this.rooms.delete(name);
  }
}

export function agentParticipant(): ParticipantInfo {
  return new ParticipantInfo({
    sid: `PA_${randomUUID().slice(0, 8)}`,
    identity: `agent-${randomUUID().slice(0, 8)}`,
    state: ParticipantInfo_State.ACTIVE,
    kind: ParticipantInfo_Kind.AGENT,
  });
}

/** The callee, as the SIP service joins the room before it dials. */
export function sipParticipant(identity: string, attributes: Record<string, string>): ParticipantInfo {
  return new ParticipantInfo({
    sid: `PA_${randomUUID().slice(0, 8)}`,
    identity,
    state: ParticipantInfo_State.ACTIVE,
    kind: ParticipantInfo_Kind.SIP,
    attributes: { 'sip.callStatus': 'dialing', ...attributes },
  });
}

/** How a call to a number goes: what the callee's attributes become, and why it leaves. */
export interface CallScript {
  attributes: Record<string, string>;
  reason: DisconnectReason;
  /** The agent's, which it may leave in the room. */
  roomMetadata?: string;
}

/** What LiveKit, and an agent that reports as the manual says, show of calls that end in each way. */
export const SCRIPTS = {
  completed: () => ({
    attributes: {
      'sip.callStatus': 'hangup',
      'outdial.answeredAt': new Date(Date.now() - 7_000).toISOString(),
      'outdial.answeredBy': 'human',
    },
    reason: DisconnectReason.CLIENT_INITIATED,
  }),
  voicemail: () => ({
    attributes: { 'sip.callStatus': 'active', 'outdial.answeredBy': 'machine-vm' },
    reason: DisconnectReason.ROOM_DELETED,
  }),
  busy: () => ({ attributes: { 'sip.callStatus': 'dialing' }, reason: DisconnectReason.USER_REJECTED }),
  no_answer: () => ({
    attributes: { 'sip.callStatus': 'ringing' },
    reason: DisconnectReason.USER_UNAVAILABLE,
  }),
  failed: () => ({ attributes: { 'sip.callStatus': 'dialing' }, reason: DisconnectReason.SIP_TRUNK_FAILURE }),
} satisfies Record<string, () => CallScript>;

export type Script = keyof typeof SCRIPTS;
