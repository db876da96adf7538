/**
 * The attack of one situation as a process of its own, so that what it costs is not in the times that the
 * harness measures. Takes {@link AttackOrder} as a message, answers `ready`, attacks after the message `go`,
 * and answers with what it was answered.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { once } from 'node:events';
import { Pool } from 'pg';
import { type AttackOrder } from './attacker.js';
import { SITUATIONS } from './situations.js';

const PREPARATION_MS = 60_000;
/** Attackers have machines of their own: here they get what the server and the unrelated team leave. */
const NICE = 19;

async function main(): Promise<void> {
  yieldToTheOthers();
  process.once('disconnect', () => process.exit());
  const [order] = (await once(process, 'message')) as [AttackOrder];
  const situation = SITUATIONS.find(({ name }) => name === order.situation);
  if (!situation) throw new Error(`there is no situation "${order.situation}"`);
  const db = new Pool({ connectionString: order.databaseUrl });
  const attack = { url: order.url, tenants: order.tenants, db, until: performance.now() + PREPARATION_MS };
  await situation.prepare?.(attack);
  process.send?.('ready');
  await once(process, 'message');
  const answers = await situation.attack({ ...attack, until: performance.now() + order.seconds * 1_000 });
  await db.end();
  process.send?.(answers);
  process.disconnect();
}

/**
 * Linux shares the CPU among sessions first where `autogroup` is on; `nice` then counts only within this
 * process's session.
 */
function yieldToTheOthers(): void {
  setPriority(NICE);
  try {
    writeFileSync('/proc/self/autogroup', String(NICE));
  } catch {
    // The kernel has no such groups.
  }
}

void main();
