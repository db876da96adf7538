import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  AgentDispatch,
  CreateAgentDispatchRequest,
  CreateSIPParticipantRequest,
  DeleteRoomRequest,
  DeleteRoomResponse,
  DisconnectReason,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  ListSIPOutboundTrunkRequest,
  ListSIPOutboundTrunkResponse,
  SIPOutboundTrunkInfo,
  SIPParticipantInfo,
  type WebhookEvent,
} from '@livekit/protocol';
import { TokenVerifier } from 'livekit-server-sdk';
import {
  agentParticipant,
  type FakeRoom,
  FakeRooms,
  type Script,
  SCRIPTS,
  sipParticipant,
} from './fake-rooms.js';
import { deliver, signed, webhook } from './fake-webhooks.js';

export const API_KEY = 'APItests';
export const API_SECRET = 'secret-of-the-livekit-tests-0123456789';
export const TRUNK = 'ST_tests';

/**
 * Takes the place of LiveKit's answer to one method; a request that it does not answer hangs. `serve` does as
 * asked, and gives what LiveKit would answer; `asked` is the request's body.
 */
export type Fault = (
  response: ServerResponse,
  request: IncomingMessage,
  serve: () => unknown,
  asked: JsonValue,
) => void;

type Json = { toJson: (options?: { useProtoFieldName?: boolean }) => unknown };
export type JsonValue = Parameters<typeof CreateSIPParticipantRequest.fromJson>[0];
type Grants = Awaited<ReturnType<TokenVerifier['verify']>>;

/** A refusal in Twirp's shape. */
class TwirpRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/**
 * LiveKit's server API as far as it is used here: Twirp over HTTP with tokens that are verified. Rooms are
 * forgotten when they end. Calls go as their number's script says, and webhooks report them.
 */
export class FakeLiveKit {
  readonly rooms = new FakeRooms();
  readonly requests: { method: string; connection: number }[] = [];
  readonly dials: CreateSIPParticipantRequest[] = [];
  readonly dispatches: AgentDispatch[] = [];
  readonly trunks = [
    new SIPOutboundTrunkInfo({ sipTrunkId: TRUNK, name: 'Trunk', numbers: ['+14155550199'] }),
  ];
  readonly faults = new Map<string, Fault>();
  readonly scripts = new Map<string, Script>();
  /** Repeats, reorders or drops the webhooks of one call. */
  arrange: (events: WebhookEvent[]) => WebhookEvent[] = (events) => events;
  webhookUrl: string | null = null;
  webhookStatuses: number[] = [];
  url = '';
  private readonly server: Server;
  private readonly verifier = new TokenVerifier(API_KEY, API_SECRET);
  private readonly underWay = new Set<Promise<void>>();
  private connections = 0;

  constructor() {
    const numbers = new WeakMap<object, number>();
    this.server = createServer((request, response) => {
      void this.handle(request, response, numbers.get(request.socket) ?? 0);
    });
    this.server.on('connection', (socket) => numbers.set(socket, ++this.connections));
  }

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    await this.settled();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Waits until all webhooks of calls that were played have been taken. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }

  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  /** Posts webhooks one after the other. */
  async post(events: readonly WebhookEvent[], url = this.webhookUrl): Promise<void> {
    for (const event of events) {
      if (url) this.webhookStatuses.push(await deliver(url, await signed(event, API_KEY, API_SECRET)));
    }
  }

  private async handle(
    request: IncomingMessage,
    response: ServerResponse,
    connection: number,
  ): Promise<void> {
    const [, service = '', method = ''] = /^\/twirp\/livekit\.(\w+)\/(\w+)$/.exec(request.url ?? '') ?? [];
    let text = '';
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
    this.requests.push({ method, connection });
    const fault = this.faults.get(method);
    const grants = await this.verifier
      .verify((request.headers.authorization ?? '').replace(/^Bearer /, ''))
      .catch(() => null);
    // LiveKit's own words, which are no JSON.
    if (grants === null) return void response.writeHead(401).end('invalid API key');
    const serve = () =>
      this.answer(`${service}.${method}`, JSON.parse(text) as never, grants).toJson({
        useProtoFieldName: true,
      });
    if (fault) return fault(response, request, serve, JSON.parse(text) as JsonValue);
    try {
      json(response, 200, serve());
    } catch (error) {
      const { status, code } = error instanceof TwirpRefusal ? error : new TwirpRefusal(400, 'malformed');
      json(response, status, { code, msg: 'about +14155550100' });
    }
  }

  private answer(method: string, body: never, { video, sip }: Grants): Json {
    switch (method) {
      case 'AgentDispatchService.CreateDispatch': {
        const { room, agentName, metadata } = CreateAgentDispatchRequest.fromJson(body);
        allow(video?.roomAdmin === true && video.room === room);
        const dispatch = new AgentDispatch({ id: 'AD_1', room, agentName, metadata });
        const opened = this.rooms.open(room);
        opened.dispatches.push(dispatch);
        this.dispatches.push(dispatch);
        const agent = agentParticipant();
        opened.participants.set(agent.identity, agent);
        return dispatch;
      }
      case 'SIP.CreateSIPParticipant':
        allow(sip?.call === true);
        return this.dial(CreateSIPParticipantRequest.fromJson(body));
      case 'SIP.ListSIPOutboundTrunk': {
        allow(sip?.admin === true);
        const { trunkIds } = ListSIPOutboundTrunkRequest.fromJson(body);
        return new ListSIPOutboundTrunkResponse({
          items: this.trunks.filter(({ sipTrunkId }) => trunkIds.includes(sipTrunkId)),
        });
      }
      case 'RoomService.ListRooms':
        allow(video?.roomList === true);
        return new ListRoomsResponse({
          rooms: this.rooms.named(ListRoomsRequest.fromJson(body).names).map(({ info }) => info),
        });
      case 'RoomService.ListParticipants': {
        const { room } = ListParticipantsRequest.fromJson(body);
        allow(video?.roomAdmin === true && video.room === room);
        const participants = this.rooms.get(room)?.participants.values() ?? [];
        return new ListParticipantsResponse({ participants: [...participants] });
      }
      case 'RoomService.DeleteRoom':
        allow(video?.roomCreate === true);
        this.deleteRoom(DeleteRoomRequest.fromJson(body).room);
        return new DeleteRoomResponse();
      default:
        throw new TwirpRefusal(404, 'bad_route');
    }
  }

  /** Disconnects the participants of a room, and sends the webhooks of its end. */
  private deleteRoom(name: string): void {
    const room = this.rooms.get(name);
    if (room === undefined) throw new TwirpRefusal(404, 'not_found');
    this.rooms.delete(name);
    const left = [...room.participants.values()].map((participant) => {
      participant.disconnectReason = DisconnectReason.ROOM_DELETED;
      return webhook('participant_left', room.info, participant);
    });
    const posting = this.post(this.arrange([...left, webhook('room_finished', room.info)])).finally(() =>
      this.underWay.delete(posting),
    );
    this.underWay.add(posting);
  }

  private dial(request: CreateSIPParticipantRequest): SIPParticipantInfo {
    this.dials.push(request);
    const { sipTrunkId, roomName, participantIdentity } = request;
    if (!this.trunks.some((trunk) => trunk.sipTrunkId === sipTrunkId))
      throw new TwirpRefusal(404, 'not_found');
    const room = this.rooms.open(roomName);
    const callId = 'SCL_tests';
    const callee = sipParticipant(participantIdentity, { 'sip.callID': callId, 'sip.trunkID': sipTrunkId });
    room.participants.set(callee.identity, callee);
    const script = this.scripts.get(request.sipCallTo);
    if (script) this.play(room, participantIdentity, script);
    return new SIPParticipantInfo({
      participantId: callee.sid,
      participantIdentity,
      roomName,
      sipCallId: callId,
    });
  }

  /** Plays a call to its end at once, and sends its webhooks. */
  play(room: FakeRoom, identity: string, script: Script): void {
    const callee = room.participants.get(identity);
    if (!callee) throw new Error(`${identity} is not in the room`);
    const { attributes, reason } = SCRIPTS[script]();
    const [agent] = room.participants.values();
    const events = [
      webhook('room_started', room.info),
      webhook('participant_joined', room.info, agent),
      webhook('participant_joined', room.info, callee),
    ];
    Object.assign(callee.attributes, attributes);
    callee.disconnectReason = reason;
    events.push(webhook('participant_left', room.info, callee), webhook('room_finished', room.info));
    this.rooms.delete(room.info.name);
    const posting = this.post(this.arrange(events)).finally(() => this.underWay.delete(posting));
    this.underWay.add(posting);
  }
}

function allow(granted: boolean): void {
  if (!granted) throw new TwirpRefusal(403, 'permission_denied');
}

export function json(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
