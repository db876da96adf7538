import { type Carrier } from '../../src/carriers/carrier.js';
import {
  type Answer,
  FaultServer,
  type Head,
  type ServerFault,
  WIRE_FAULTS,
  type WellBehaved,
  type WireFault,
} from './fault-server.js';

/** What can become of a dial, beside what the wire can do to it. */
export type Fault = WireFault | 'refusal' | 'unreachable';

/** A carrier, and what stands behind it. */
export interface Stand {
  readonly carrier: Carrier;
  /** Dials that arrived so far, each by what names its call to the carrier. */
  dials(): number;
  /** All requests that arrived so far, dials included. */
  requests(): number;
  /** What dials meet from now on; null: nothing. */
  misbehave(fault: Fault | 'close_reused' | null): Promise<void> | void;
  /** The same for everything that is asked beside dials, such as lists. */
  misbehaveBeside(fault: WireFault | null): void;
  /** The faults that it can show; a carrier in this process has no wire. */
  faults: readonly Fault[];
  /** Whether a throttled request counts among `dials`; in this process it is none. */
  countsThrottled: boolean;
  /** Whether looking a call up, or hanging up, sends a request over the wire. */
  looksUp: boolean;
  /** The id of a call that the carrier does not know. */
  unknownCall: string;
  /** What comes of a dial that is answered 401 or 403. */
  unauthorized: 'refused' | 'unknown';
  /** What must not be found in any reason, beside numbers and prompts. */
  secrets: readonly string[];
  /** The agent's settings that it dials with. */
  carrierSettings: Record<string, unknown>;
  close(): Promise<void>;
}

/** A carrier that is asked over HTTP. */
export interface HttpSubject {
  make(url: string, timeoutMs: number): Carrier | Promise<Carrier>;
  /** Whether a request would make a telephone ring. */
  isDial: (head: Head) => boolean;
  wellBehaved: WellBehaved;
  /** The carrier's own definite answer that it will not dial. */
  refusal: Answer;
  unauthorized: 'refused' | 'unknown';
  secrets: readonly string[];
  carrierSettings?: Record<string, unknown>;
  /** The id of a call that the carrier does not know. */
  unknownCall?: string;
  /**
   * How long the carrier waits for an answer that does not come, in milliseconds; by default {@link
   * TIMEOUT_MS}.
   */
  timeoutMs?: number;
}

/** The carrier's patience with what hangs: short, so that it is soon over. */
export const TIMEOUT_MS = 400;
/** Its patience with everything that answers, however slowly a busy machine gets to it. */
const PATIENT_MS = 20_000;
const HANGING: readonly (Fault | ServerFault | null)[] = ['hang', 'late_answer', 'slow_drip'];

export const ALL_FAULTS: readonly Fault[] = [...WIRE_FAULTS, 'refusal', 'unreachable'];

export async function standOf(subject: HttpSubject): Promise<Stand> {
  const { isDial, refusal, wellBehaved, unauthorized, secrets, carrierSettings = {} } = subject;
  const { timeoutMs = TIMEOUT_MS } = subject;
  let refusing = false;
  let beside: WireFault | null = null;
  let dialFault: ServerFault | null = null;
  const server = new FaultServer(
    (request) => (refusing && isDial(request) ? refusal : wellBehaved(request)),
    timeoutMs * 2,
  );
  const url = await server.listen();
  server.misbehave((head) => (isDial(head) ? dialFault : beside));
  const patient = await subject.make(url, PATIENT_MS);
  const impatient = await subject.make(url, timeoutMs);
  let open = true;
  return {
    get carrier() {
      return HANGING.includes(dialFault) || HANGING.includes(beside) ? impatient : patient;
    },
    faults: ALL_FAULTS,
    looksUp: true,
    unknownCall: subject.unknownCall ?? 'line-777',
    countsThrottled: true,
    unauthorized,
    secrets,
    carrierSettings,
    dials: () => server.received.filter(isDial).length,
    requests: () => server.received.length,
    async misbehave(fault) {
      refusing = fault === 'refusal';
      dialFault = fault === 'refusal' || fault === 'unreachable' ? null : fault;
      if (fault === 'unreachable') {
        open = false;
        await server.close();
      }
    },
    misbehaveBeside(fault) {
      beside = fault;
    },
    async close() {
      await patient.close();
      await impatient.close();
      if (open) await server.close();
    },
  };
}
