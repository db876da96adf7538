import { pause } from '../services/run.js';
import { type Random } from './random.js';
import { type Node, type World } from './world.js';

const PATIENCE_MS = 60_000;

export interface FaultContext {
  world: World;
  random: Random;
  /** No other fault happens meanwhile: then the fault also asserts what must come of it. */
  single: boolean;
}

/** One thing that goes wrong, and is over when `inject` resolves; calls are placed all the while. */
export interface Fault {
  name: string;
  /** Faults of one kind never happen at once; those of different kinds do. */
  kind: 'servers' | 'programs' | 'traffic';
  /** Takes half a minute or more. */
  slow?: boolean;
  /** @throws when it could not be injected, or when what must come of it did not. */
  inject(context: FaultContext): Promise<void>;
}

/** Fails a fault's own assertion. */
export class FaultAssertion extends Error {
  override name = 'FaultAssertion';
}

export function assertFault(holds: boolean, message: string): void {
  if (!holds) throw new FaultAssertion(message);
}

/** One that is up, if there is one. */
export function anyWorker({ world, random }: FaultContext): Node {
  const atWork = world.workers.filter(({ program }) => program.atWork);
  return random.pick(atWork.length > 0 ? atWork : world.workers);
}

/** The state of a call; undefined if it does not exist. */
export async function statusOf(world: World, id: string): Promise<string | undefined> {
  const { rows } = await world.db.query<{ status: string }>(
    'SELECT status FROM call_requests WHERE id = $1',
    [id],
  );
  return rows[0]?.status;
}

/** The same once the call is not being dialed any more. A busy worker may take seconds to say so. */
export async function statusAfterDialing(world: World, id: string): Promise<string | undefined> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const status = await statusOf(world, id);
    if (status !== 'dialing' || Date.now() > deadline) return status;
    await pause(200);
  }
}

export async function wasDialed(world: World, id: string): Promise<boolean> {
  return (await world.dials()).some(({ callRequestId }) => callRequestId === id);
}

/** How long the number of a call stays locked from now, by asking for the lock ever again. */
export async function lockHeldMs({ world }: FaultContext, id: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await world.db.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(number_lock_key(team_id, phone_number)) AS free
       FROM call_requests WHERE id = $1`,
      [id],
    );
    const heldMs = Math.round(performance.now() - startedAt);
    if (rows[0]?.free !== false || heldMs > 30_000) return heldMs;
    await pause(50);
  }
}
