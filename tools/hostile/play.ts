import { type Deployment, residentMemoryOf } from '../builds/deployment.js';
import { createTenant, type Tenant } from '../builds/tenant.js';
import { type Answers, serverErrors } from '../bench/answers.js';
import { Attacker } from './attacker.js';
import { probe, type Probed, type ProbeRequest } from '../bench/probe.js';
import { SHARED_NUMBER, type Situation } from './situation.js';

export const HEAP_MB = 256;
const IDLE_SECONDS = 10;
const ATTACK_SECONDS = 10;
/**
 * The measured server has run for a while: its code is compiled, its connections are open. Requests a second
 * for so long.
 */
const WARM_UP_SECONDS = 4;
const WARM_UP_RATE = 300;
const MEMORY_SAMPLE_MS = 200;

/**
 * A p99 below this is as good as any other on two cores that the load shares, and no measure of what follows.
 */
export const IDLE_FLOOR_MS = 20;
export const MAX_RATIO = 3;
export const MAX_RSS_RISE_MB = 150;

export interface Played {
  situation: string;
  idle: Probed;
  during: Probed;
  /** Of the p99, with the floor for the idle one. */
  ratio: number;
  attacker: Answers;
  /** Megabytes between the start of the attack and the most during it. */
  rssRise: number;
  alive: boolean;
  /** What does not hold; empty: all does. */
  faults: string[];
}

/**
 * Restarts the API and plays one situation against it.
 * @param proxyUrl of the proxy before it; null: all clients connect to the API.
 */
export async function play(
  deployment: Deployment,
  proxyUrl: string | null,
  situation: Situation,
): Promise<Played> {
  const { api } = deployment;
  const url = proxyUrl ?? deployment.url;
  const isDirect = proxyUrl === null;
  await api.kill();
  await api.start([`--max-old-space-size=${HEAP_MB}`]);
  const bystander = await createTenant(url, 'Bystander', situation.bystanderLimits);
  const tenants: Tenant[] = [];
  for (const limits of situation.attackers ?? []) tenants.push(await createTenant(url, 'Attacker', limits));
  const other = requestsOf(situation, await createTenant(url, 'Warm-up'));
  await probe(url, everyOtherKeyed(other), forSeconds(WARM_UP_SECONDS), WARM_UP_RATE);
  const next = requestsOf(situation, bystander);
  const seconds = situation.seconds ?? ATTACK_SECONDS;
  const order = { situation: situation.name, url, databaseUrl: deployment.databaseUrl, tenants, seconds };
  const attacker = await Attacker.prepare(order);
  try {
    const idle = await probe(url, next, forSeconds(IDLE_SECONDS));
    const memory = new MemoryWatch(deployment);
    const attack = attacker.run();
    const during = await probe(url, next, forSeconds(seconds));
    const answers = await attack;
    const rssRise = memory.stop();
    const ratio = during.p99 / Math.max(idle.p99, IDLE_FLOOR_MS);
    const played = { situation: situation.name, idle, during, ratio, attacker: answers, rssRise };
    const alive = api.running && (await answers200(`${url}/health/live`));
    return { ...played, alive, faults: faultsOf(situation, isDirect, { ...played, alive }) };
  } finally {
    attacker.kill();
  }
}

function forSeconds(seconds: number): () => boolean {
  const until = performance.now() + seconds * 1_000;
  return () => performance.now() < until;
}

let numbers = 0;

/** The same, every second one with an `Idempotency-Key`. */
function everyOtherKeyed(next: () => ProbeRequest): () => ProbeRequest {
  return () => {
    const request = next();
    return numbers % 2 === 0 ? request : { ...request, idempotencyKey: `warm-up ${numbers}` };
  };
}

function requestsOf({ bystander }: Situation, { agentId, apiKey }: Tenant): () => ProbeRequest {
  return () => {
    numbers += 1;
    const name = `Ada ${numbers}`;
    return bystander === 'trigger'
      ? {
          path: `/api/voice-agents/${agentId}/calls`,
          apiKey,
          body: { phoneNumber: `+1646${2_200_000 + numbers}`, name },
        }
      : { path: '/api/campaigns/contact-enrollments', apiKey, body: { phoneNumber: SHARED_NUMBER, name } };
  };
}

function faultsOf(situation: Situation, isDirect: boolean, played: Omit<Played, 'faults'>): string[] {
  const { during, idle, ratio, attacker, rssRise, alive } = played;
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault));
  const unanswered = Object.entries(during.answers).filter(([answer]) => answer !== '200');
  expect(Object.keys(idle.answers).join() === '200', 'not every request was answered 200 before');
  expect(unanswered.length === 0, 'the unrelated team was not always answered 200');
  // Strangers' load is the proxy's to hold off.
  const isBounded = !isDirect || !situation.byStrangers;
  expect(!isBounded || ratio <= MAX_RATIO, `its p99 is over ${MAX_RATIO} times the idle one`);
  expect(!situation.failsOn5xx || serverErrors(attacker) === 0, 'the attacker was answered 5xx');
  expect(rssRise <= MAX_RSS_RISE_MB, `memory rose by over ${MAX_RSS_RISE_MB} MB`);
  expect(alive, 'the API died');
  const fault = situation.fault?.(attacker, isDirect) ?? null;
  expect(fault === null, fault ?? '');
  return faults;
}

async function answers200(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  return answer?.status === 200;
}

/** The most memory that the API holds from now on. */
class MemoryWatch {
  private readonly start: number;
  private most: number;
  private readonly timer: NodeJS.Timeout;

  constructor({ api }: Deployment) {
    this.start = this.most = residentMemoryOf(api);
    this.timer = setInterval(() => {
      const now = residentMemoryOf(api);
      if (now > this.most) this.most = now;
    }, MEMORY_SAMPLE_MS);
  }

  /** @returns by how much it rose, in megabytes. */
  stop(): number {
    clearInterval(this.timer);
    return this.most - this.start;
  }
}
