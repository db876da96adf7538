/**
 * `npm run demo`: everything that Outdial does, on real processes and over real HTTP, each answer compared
 * with what it should be. Stays up until Ctrl-C; with `-- --once` it ends after the last scene, with 0 only
 * if all went as expected.
 */
import { parseArgs } from 'node:util';
import { dialNow, scheduleAndCancel } from './demo/calls.js';
import { runCampaign } from './demo/campaign.js';
import { printResult, printWhereToLook } from './demo/closing.js';
import { keepContacts } from './demo/contacts.js';
import { meetGuardrails, sendBadRequests } from './demo/refusals.js';
import { checkDials, objectBeforeOpening, placeForOpening, watchOpening } from './demo/opening.js';
import { type DemoStack, endedByItself, removeFiles, startDemoStack } from './demo/stack.js';
import { Caller, Story } from './demo/story.js';
import { type DemoCast, makeCast } from './demo/team.js';
import { styled } from './demo/terminal.js';
import { ensureServices, type Services } from './services/ensure.js';
import { logTail } from './services/run.js';
import { welcomeLink } from './stack/welcome.js';

// From the moment that Postgres and Redis are up; a first start may have to download them.
const LIMIT_MS = 180_000;

class Stopped extends Error {
  override name = 'Stopped';
}

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  // Only the first counts; npm and a terminal each send one.
  process.on(signal, () => stop.abort(new Stopped(`Stopped by ${signal}.`)));
}

/** The whole story. The minute until the opening passes while the rest is shown. */
async function tell(story: Story, stack: DemoStack): Promise<DemoCast> {
  const operator = new Caller(stack.operatorToken);
  story.chapter('The operator makes a team, its key, numbers and agents');
  const cast = await makeCast(story, operator);
  const openingCalls = await placeForOpening(story, cast);
  await keepContacts(story, operator, cast);
  const dialed = await dialNow(story, cast);
  await objectBeforeOpening(story, operator, cast, openingCalls);
  await scheduleAndCancel(story, cast);
  const dialedWithinLimits = await meetGuardrails(story, operator);
  await sendBadRequests(story, cast);
  await watchOpening(story, cast, openingCalls);
  const dialedByCampaign = await runCampaign(story, operator, stack.database);
  checkDials(story, await stack.dials(), {
    [dialed]: 'the call inside calling hours',
    [dialedWithinLimits]: 'the call of the team with limits',
    [openingCalls.older]: 'the older call at the opening',
    ...dialedByCampaign,
  });
  return cast;
}

/** Plays the demo. Without `once`, it then waits until it is stopped. */
async function perform(stack: DemoStack, services: Services, once: boolean): Promise<number> {
  const startedAt = performance.now();
  const story = new Story(stack.api, stop.signal);
  const limit = setTimeout(() => {
    stop.abort(new Error(`The demo was not over after ${LIMIT_MS / 1_000} seconds.`));
  }, LIMIT_MS);
  const cast = await tell(story, stack).finally(() => clearTimeout(limit));
  printResult(story, startedAt);
  if (!once) {
    printWhereToLook(stack, services, cast, await welcomeLink(stack.env));
    await stopRequested();
  }
  return story.failures === 0 ? 0 : 1;
}

/** Resolves when the demo is asked to stop; rejects when it cannot go on. */
function stopRequested(): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      const reason: unknown = stop.signal.reason;
      if (reason instanceof Stopped) resolve();
      else reject(reason instanceof Error ? reason : new Error(String(reason)));
    };
    if (stop.signal.aborted) settle();
    else stop.signal.addEventListener('abort', settle, { once: true });
  });
}

async function run(services: Services, once: boolean): Promise<number> {
  const cleanups: (() => Promise<unknown>)[] = [];
  let stack: DemoStack | undefined;
  let code = 1;
  try {
    stack = await startDemoStack(services, stop.signal, cleanups);
    void stack.firstEnd.then((end) => stop.abort(endedByItself(end)));
    code = await perform(stack, services, once);
  } catch (error) {
    // The reason for the stop is more useful than the step that it interrupted.
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
    if (reason instanceof Stopped && !once) code = 0;
    else await printFailure(reason, stack);
  }
  if (!once) console.log('Stopping …');
  for (const cleanup of cleanups.reverse()) {
    await cleanup().catch((error: unknown) => console.error(`Not cleaned up: ${String(error)}`));
  }
  if (code === 0 && stack) await removeFiles(stack);
  return code;
}

async function printFailure(reason: unknown, stack: DemoStack | undefined): Promise<void> {
  console.error(styled('red', `\n${reason instanceof Error ? reason.message : String(reason)}`));
  if (!stack || reason instanceof Stopped) return;
  console.error(`\nThe end of the log of its processes:\n${await logTail(stack.log)}`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
  console.log(
    'Outdial’s demo: real processes, real requests; only the carrier is simulated, no telephone rings.\n',
  );
  const services = await ensureServices({ log: (line) => console.log(line) });
  try {
    return stop.signal.aborted ? Number(values.once) : await run(services, values.once);
  } finally {
    await services.stop();
  }
}

main().then(
  // Nothing may keep it up now, such as a kept connection.
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
