import { type Pool } from 'pg';
import { type Tenant } from '../builds/tenant.js';
import { type Answers } from '../bench/answers.js';

/** A number that every team has in common. */
export const SHARED_NUMBER = '+12122200001';

/** The client addresses of the attack; the unrelated team asks from 127.0.0.1. */
export const ATTACKER = '127.0.0.2';
export const CUSTOMER = '127.0.0.3';

export interface Attack {
  url: string;
  /** Owner of the database: for locks that are held from outside. */
  db: Pool;
  tenants: Tenant[];
  /** `performance.now()` at which it ends. */
  until: number;
}

/** One way to be a bad neighbour. */
export interface Situation {
  /** Begins with a word by which `--only` finds it. */
  name: string;
  /** What the unrelated team asks for meanwhile. */
  bystander: 'trigger' | 'contact';
  /** Fields of the unrelated team, such as a plan limit. */
  bystanderLimits?: object;
  /** Fields of each attacking team. */
  attackers?: object[];
  /** Whether a 5xx to the attacker is the server's fault: not where a lock of its own is held. */
  failsOn5xx: boolean;
  /** Whether the attackers have no key. Without the proxy, they may delay the unrelated team. */
  byStrangers?: boolean;
  seconds?: number;
  /** Before anything is measured. */
  prepare?(attack: Attack): Promise<void>;
  attack(attack: Attack): Promise<Answers>;
  /** What else must hold; the sentence says what did not. */
  fault?(answers: Answers, isDirect: boolean): string | null;
}

/** Holds what `statement` locks while `work` goes on. */
export async function whileHeld<T>(
  { db }: Attack,
  statement: string,
  values: unknown[],
  work: () => Promise<T>,
): Promise<T> {
  const client = await db.connect();
  try {
    await client.query('BEGIN');
    await client.query(statement, values);
    return await work();
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}

export function firstOf(tenants: Tenant[]): Tenant {
  const [tenant] = tenants;
  if (!tenant) throw new Error('the situation has no attacking team');
  return tenant;
}

let numbers = 0;

/** A number that was not given before by this process. */
export function nextNumber(): string {
  numbers += 1;
  return `+1917${2_200_000 + numbers}`;
}
