import { Rotation } from '../../../fairness/rotation.js';

/** At most this many requests of one worker to one endpoint are in flight. */
export const LANE_WIDTH = 10;

/** One claim covers at most this many endpoints. */
const MAX_LANES = 200;

/**
 * At most this many endpoints are remembered as failing. The endpoint whose last failure is the oldest is
 * forgotten first.
 */
const MAX_FAILING = 10_000;

interface Team {
  inFlight: number;
  lanes: number;
}

interface Lane {
  teamId: string;
  team: Team;
  inFlight: number;
  /** Whether the last request to the endpoint failed. */
  isFailing: boolean;
  /** How many requests to the endpoint may be in flight now. */
  width: number;
  /** Whether the endpoint may have due deliveries that are not claimed yet. */
  isWoken: boolean;
}

/** How many deliveries of an endpoint to claim. */
export interface Wanted {
  endpointId: string;
  count: number;
}

/**
 * Decides how many deliveries of which endpoints a worker has in flight. The bounds keep a receiver that
 * hangs from delaying others, and bound the memory:
 *
 * - A worker has `capacity` places. Each request in flight occupies one. An endpoint whose last request failed
 *   gets a further place only while such endpoints occupy less than half of the places.
 * - A team gets a further place only while it occupies fewer places than are free. So if only one team has
 *   requests in flight, it occupies at most half of the places. Only a team without requests in flight can get
 *   the last free place.
 * - A lane is an endpoint with its width, the most requests that it may have in flight. The width begins at
 *   one. Each success adds one, up to {@link LANE_WIDTH}. Each failure halves the width, down to one.
 */
export class Lanes {
  /** The lanes with work, in the order in which they are served. */
  private readonly lanes = new Rotation<Lane>();
  private readonly teams = new Map<string, Team>();
  private readonly failing = new Set<string>();
  private failingInFlight = 0;
  private free: number;

  constructor(private readonly capacity: number) {
    this.free = capacity;
  }

  /** Requests in flight. */
  get inFlight(): number {
    return this.capacity - this.free;
  }

  /** An endpoint may have due deliveries. */
  wake(endpointId: string, teamId: string): void {
    this.laneOf(endpointId, teamId).isWoken = true;
  }

  /**
   * How many deliveries to claim now, by endpoint. The caller reports the result of the claim to
   * {@link claimed}. Until that report, the returned lanes are left out, unless {@link wake} is called for
   * them.
   */
  wanted(): Wanted[] {
    const counts = new Map<Lane, Wanted>();
    // Round-robin by lane, so that a few free places are spread over many lanes.
    for (let round = 0; round < LANE_WIDTH && this.free > 0; round += 1) {
      const before = this.free;
      for (const [endpointId, lane] of this.lanes) {
        if (!lane.isWoken || !this.hasRoom(lane)) continue;
        let wanted = counts.get(lane);
        if (wanted === undefined) {
          if (counts.size === MAX_LANES) break;
          counts.set(lane, (wanted = { endpointId, count: 0 }));
        }
        wanted.count += 1;
        this.take(lane, 1);
      }
      if (this.free === before) break;
    }
    for (const [lane, { endpointId }] of counts) {
      lane.isWoken = false;
      this.lanes.moveToEnd(endpointId);
    }
    return [...counts.values()];
  }

  /** @param found how many deliveries were claimed; null if the claim failed, so that it is made again. */
  claimed({ endpointId, count }: Wanted, found: number | null): void {
    const lane = this.lanes.get(endpointId);
    if (lane === undefined) return;
    if (found === null || found === count) lane.isWoken = true;
    this.take(lane, (found ?? 0) - count);
    this.forget(endpointId, lane);
  }

  /** A request has ended. @param ok whether the receiver accepted the event. */
  ended(endpointId: string, ok: boolean): void {
    const lane = this.lanes.get(endpointId);
    if (lane === undefined) return;
    lane.width = ok ? Math.min(LANE_WIDTH, lane.width + 1) : Math.max(1, Math.floor(lane.width / 2));
    this.take(lane, -1);
    this.note(endpointId, lane, !ok);
    this.forget(endpointId, lane);
  }

  private hasRoom({ inFlight, width, team, isFailing }: Lane): boolean {
    if (isFailing && this.failingInFlight >= this.capacity / 2) return false;
    return inFlight < width && team.inFlight < this.free;
  }

  private note(endpointId: string, lane: Lane, isFailing: boolean): void {
    if (lane.isFailing !== isFailing) this.failingInFlight += isFailing ? lane.inFlight : -lane.inFlight;
    lane.isFailing = isFailing;
    this.failing.delete(endpointId);
    if (!isFailing) return;
    this.failing.add(endpointId);
    const [oldest] = this.failing;
    if (this.failing.size > MAX_FAILING && oldest !== undefined) this.failing.delete(oldest);
  }

  private take(lane: Lane, count: number): void {
    if (lane.isFailing) this.failingInFlight += count;
    lane.inFlight += count;
    lane.team.inFlight += count;
    this.free -= count;
  }

  private laneOf(endpointId: string, teamId: string): Lane {
    return this.lanes.getOrAdd(endpointId, () => {
      const team = this.teams.get(teamId) ?? { inFlight: 0, lanes: 0 };
      team.lanes += 1;
      this.teams.set(teamId, team);
      const isFailing = this.failing.has(endpointId);
      return { teamId, team, inFlight: 0, width: 1, isFailing, isWoken: false };
    });
  }

  private forget(endpointId: string, { teamId, team, inFlight, isWoken }: Lane): void {
    if (isWoken || inFlight > 0) return;
    this.lanes.delete(endpointId);
    team.lanes -= 1;
    if (team.lanes === 0) this.teams.delete(teamId);
  }
}
