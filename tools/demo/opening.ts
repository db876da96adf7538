import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';
import { rescheduledTo, through } from './calls.js';
import { including, oneOf } from './expectation.js';
import { type Answer, type Caller, fieldOf, type Story, textOf } from './story.js';
import { type DemoCast, pathOf } from './team.js';
import { styled } from './terminal.js';

/**
 * How long after the opening its calls may take: wake-up, dial and talk, or the sweeper if a wake-up was
 * lost.
 */
const OPENING_PATIENCE_MS = 40_000;

const OBJECTOR = '+14155550150';
const WANTED = '+14155550151';

/** The calls that wait for one opening. */
export interface OpeningCalls {
  /** Its number is put on the Do Not Call list before the opening. */
  objected: string;
  older: string;
  /** For the same number as `older`. */
  newer: string;
}

/** Places three calls for an opening that is about to come. */
export async function placeForOpening(story: Story, { caller, soon }: DemoCast): Promise<OpeningCalls> {
  story.chapter(`Calls for an opening that is about to come, ${soon.opensAt.toISOString()}`);
  const place = async (what: string, phoneNumber: string, name: string): Promise<string> => {
    const body = { phoneNumber, name, topic: 'the appointment' };
    const answer = await story.tell(
      what,
      caller.post(`/api/voice-agents/${soon.id}/calls`, body),
      rescheduledTo(soon.opensAt),
    );
    return textOf(answer, 'callRequestId');
  };
  return {
    objected: await place('A call for later', OBJECTOR, 'Edsger Dijkstra'),
    older: await place('Another one', WANTED, 'Barbara Liskov'),
    newer: await place(
      'The same number once more: scheduled too, and decided at the opening',
      WANTED,
      'Barbara Liskov',
    ),
  };
}

/** One of the numbers objects to being called while its call waits. */
export async function objectBeforeOpening(
  story: Story,
  operator: Caller,
  cast: DemoCast,
  { objected }: OpeningCalls,
): Promise<void> {
  story.chapter('Do Not Call, while a call waits');
  await story.tell(
    `${OBJECTOR} does not want to be called`,
    operator.post(`${pathOf(cast)}/do-not-call`, { phoneNumbers: [OBJECTOR], reason: 'asked by e-mail' }),
    {
      status: 201,
      body: { added: 1, listed: [{ given: OBJECTOR, phoneNumbers: [OBJECTOR] }], rejected: [] },
    },
  );
  await story.tell('Its call has ended at once', cast.caller.get(`/api/calls/${objected}`), {
    status: 200,
    body: blocked('DO_NOT_CALL'),
  });
}

/** At the opening, what may be dialed is dialed once, and nothing else is. */
export async function watchOpening(
  story: Story,
  { caller, soon }: DemoCast,
  calls: OpeningCalls,
): Promise<void> {
  story.chapter(`The opening, ${soon.opensAt.toISOString()}`);
  await waitFor(story, soon.opensAt);
  const dialed = await story.tellOnce(
    'The older call to the wanted number is dialed and completed',
    caller.get(`/api/calls/${calls.older}`),
    { field: 'status', value: 'completed', withinMs: OPENING_PATIENCE_MS },
    {
      status: 200,
      body: including({
        status: 'completed',
        phoneNumber: WANTED,
        callerId: '+14155550101',
        prompt: 'Remind Barbara Liskov of the appointment.',
        firstMessage: 'Good morning, Barbara Liskov!',
        history: through('scheduled', 'dialing', 'in_progress', 'completed'),
      }),
    },
  );
  const seconds = secondsAfter(soon.opensAt, dialed);
  const inTime = story.check('dialed at its opening, not before', true, seconds >= 0, { seconds });
  if (inTime) story.pass(`dialed ${seconds.toFixed(1)} seconds after the opening`);
  await story.tellOnce(
    'The newer call to that number is not',
    caller.get(`/api/calls/${calls.newer}`),
    { field: 'status', value: 'blocked' },
    // Decided while the older one still waits, or after it was dialed: either way the number is called once.
    { status: 200, body: blocked(oneOf('ALREADY_SCHEDULED', 'RECENTLY_CALLED')) },
  );
  await story.tell(
    'Nor is the call of the number on the Do Not Call list',
    caller.get(`/api/calls/${calls.objected}`),
    {
      status: 200,
      body: blocked('DO_NOT_CALL'),
    },
  );
}

/** The simulated carrier's own log, which nothing but a dial writes to. */
export function checkDials(story: Story, dials: DialRecord[], expected: Record<string, string>): void {
  story.chapter('The carrier’s log of dials, as a witness');
  console.log('');
  for (const { at, to, from, outcome, callRequestId } of dials) {
    console.log(`    ${at}  ${from} → ${to}  ${styled('green', outcome)}  ${styled('dim', callRequestId)}`);
  }
  const byId = (ids: string[]) => [...ids].sort();
  const asExpected = story.check(
    'exactly the calls that should be dialed were, once each',
    byId(Object.keys(expected)),
    byId(dials.map(({ callRequestId }) => callRequestId)),
    expected,
  );
  if (!asExpected) return;
  const count = Object.keys(expected).length;
  story.pass(`${count} calls were dialed, each once; none that was refused, canceled or blocked`);
}

function blocked(reason: string | ReturnType<typeof oneOf>) {
  return including({ status: 'blocked', reason, callerId: null, history: through('scheduled', 'blocked') });
}

/** By Postgres' clock, which is the clock of the rules. */
function secondsAfter(opening: Date, answer: Answer): number {
  const history = fieldOf(answer, 'history') as { at: string; to: string }[] | undefined;
  const claim = history?.find(({ to }) => to === 'dialing');
  return claim === undefined ? -1 : (Date.parse(claim.at) - opening.getTime()) / 1_000;
}

async function waitFor(story: Story, at: Date): Promise<void> {
  const remaining = (): number => at.getTime() - Date.now();
  if (remaining() > 0) story.note(`${Math.ceil(remaining() / 1_000)} seconds to go.`);
  while (remaining() > 0) {
    await story.pause(Math.min(1_000, remaining()));
    if (process.stdout.isTTY) process.stdout.write(`\r  ${Math.max(0, Math.ceil(remaining() / 1_000))} s `);
  }
  if (process.stdout.isTTY) process.stdout.write('\r        \r');
}
