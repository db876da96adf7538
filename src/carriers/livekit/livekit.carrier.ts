import {
  type Carrier,
  type CarrierCheck,
  type CarrierEventListener,
  type CarrierSettings,
  type FindCallQuery,
  type FindCallResult,
  type HangUpRequest,
  type HangUpResult,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../carrier.js';
import { attempt } from './attempt.js';
import { checkLiveKit } from './livekit-check.js';
import { dispatchMetadata } from './dispatch-metadata.js';
import { findInRooms } from './find-in-rooms.js';
import { type LiveKitOptions } from './livekit-options.js';
import { dialFailure, dispatchFailure, hangUpFailure, sipMeaning } from './livekit-outcomes.js';
import { type LiveKitSession, loadLiveKitSdk, openSession } from './livekit-session.js';
import { type DialSettings, readSettings } from './livekit-settings.js';
import { OnceRpc } from './once-rpc.js';
import { calleeIdentity, roomName } from './room.js';

/**
 * The shares of the timeout for the dispatch before the dial, and for the deletion of the room after a failed
 * dial.
 */
const DIAL_SHARES = { CreateDispatch: 1 / 2, DeleteRoom: 1 / 5 };

/**
 * Dials through a SIP trunk of LiveKit. A dial creates a room, dispatches an agent to the room, and creates
 * the SIP participant. Only the request that creates the participant can make a telephone ring. It is sent at
 * most once. If an earlier request fails, no telephone rings.
 */
export class LiveKitCarrier implements Carrier {
  readonly name = 'livekit';
  readonly timeoutMs: number;
  readonly callsPerSecond: number | null;
  private readonly open = new Set<AbortController>();
  private listener: CarrierEventListener | null = null;

  constructor(private readonly options: LiveKitOptions) {
    this.timeoutMs = options.timeoutMs;
    this.callsPerSecond = options.callsPerSecond;
  }

  checkSettings(settings: CarrierSettings): string | null {
    const read = readSettings(settings, this.options);
    return read.ok ? null : read.problem;
  }

  /** Loads the SDK, so that the first dial does not wait for it. */
  start(): void {
    void loadLiveKitSdk();
  }

  /**
   * Sets the listener for calls that ended before LiveKit answered the dial. All other events arrive at the
   * webhook.
   */
  onEvent(listener: CarrierEventListener): void {
    this.listener = listener;
  }

  placeCall(request: PlaceCallRequest, signal: AbortSignal): Promise<PlaceCallResult> {
    const read = readSettings(request.carrierSettings, this.options);
    if (!read.ok) return Promise.resolve({ kind: 'refused', reason: 'livekit_settings_invalid' });
    return this.within(signal, (session) => this.dial(session, request, read.settings));
  }

  findCall(query: FindCallQuery, signal: AbortSignal): Promise<FindCallResult> {
    return this.within(signal, (session) => findInRooms(session.rooms, query));
  }

  /** Deletes the room of the call, which disconnects the callee and the agent. */
  hangUp({ carrierCallId }: HangUpRequest, signal: AbortSignal): Promise<HangUpResult> {
    if (carrierCallId === null) {
      return Promise.resolve({ kind: 'not_done', reason: 'carrier_call_id_unknown' });
    }
    const hangUp = async ({ rooms }: LiveKitSession): Promise<HangUpResult> => {
      const failure = await attempt(() => rooms.deleteRoom(carrierCallId));
      return failure === null ? { kind: 'accepted' } : hangUpFailure(failure);
    };
    return this.within(signal, hangUp, {});
  }

  check(numbers: readonly string[], signal: AbortSignal): Promise<CarrierCheck> {
    return this.within(signal, (session) => checkLiveKit(session, this.options.sipTrunkId, numbers));
  }

  close(): Promise<void> {
    for (const controller of this.open) controller.abort();
    return Promise.resolve();
  }

  private async dial(
    session: LiveKitSession,
    request: PlaceCallRequest,
    settings: DialSettings,
  ): Promise<PlaceCallResult> {
    const room = roomName(request.callRequestId, request.generation);
    const dispatched = await attempt(() =>
      session.dispatches.createDispatch(room, settings.agentName, { metadata: dispatchMetadata(request) }),
    );
    if (dispatched !== null) {
      const result = dispatchFailure(dispatched);
      const asked = dispatched.kind === 'broken' || dispatched.kind === 'answered';
      return asked ? this.giveUp(session, room, result) : result;
    }

    const failure = await attempt(() =>
      session.sip.createSipParticipant(settings.sipTrunkId, request.to, room, {
        fromNumber: request.from,
        participantIdentity: calleeIdentity(request.callRequestId),
        ringingTimeout: settings.ringingTimeoutSeconds,
        maxCallDuration: this.options.maxCallSeconds,
        waitUntilAnswered: false,
      }),
    );
    if (failure === null) return { kind: 'accepted', carrierCallId: room };
    if (failure.kind === 'answered' && failure.sip !== null) {
      const { sip, networkBlocked } = failure;
      return this.endedBySip(session, room, request.callRequestId, { status: sip, networkBlocked });
    }
    const result = dialFailure(failure);
    return result.kind === 'unknown' ? result : this.giveUp(session, room, result);
  }

  /** Handles an answer with the SIP status of the trunk: the call has ended, or no telephone rang. */
  private async endedBySip(
    session: LiveKitSession,
    room: string,
    callRequestId: string,
    { status, networkBlocked }: { status: number; networkBlocked: boolean },
  ): Promise<PlaceCallResult> {
    const { end, rang, reason = `sip_${status}` } = sipMeaning(status, networkBlocked);
    if (!rang) return this.giveUp(session, room, { kind: 'refused', reason });
    try {
      await this.listener?.({ callRequestId, carrierCallId: room, status: end, at: new Date(), reason });
    } catch {
      // The event could not be recorded. LiveKit also reports by webhook that the callee left.
      return { kind: 'unknown', reason };
    }
    return this.giveUp(session, room, { kind: 'accepted', carrierCallId: room });
  }

  /**
   * Deletes a room that no callee will join, so that the agent leaves. Best effort: LiveKit closes an empty
   * room anyway.
   */
  private async giveUp(
    session: LiveKitSession,
    room: string,
    result: PlaceCallResult,
  ): Promise<PlaceCallResult> {
    await attempt(() => session.rooms.deleteRoom(room));
    return result;
  }

  /**
   * Runs a task. `signal`, `close` and the carrier's timeout abort the requests of the task.
   *
   * @param shares the longest duration of a request by its method, as a share of the timeout.
   */
  private async within<T>(
    signal: AbortSignal,
    task: (session: LiveKitSession) => Promise<T>,
    shares: Readonly<Record<string, number>> = DIAL_SHARES,
  ): Promise<T> {
    const deadline = performance.now() + this.timeoutMs;
    const closing = new AbortController();
    this.open.add(closing);
    try {
      const limitsMs = Object.fromEntries(
        Object.entries(shares).map(([method, share]) => [method, this.timeoutMs * share]),
      );
      const aborted = AbortSignal.any([signal, closing.signal]);
      const rpc = new OnceRpc(this.options.url, aborted, deadline, limitsMs);
      return await task(await openSession(this.options, rpc));
    } finally {
      this.open.delete(closing);
    }
  }
}
