import { type DemoDatabase } from './database.js';
import { type Expected, including, INSTANT, UUID } from './expectation.js';
import { type Answer, type Caller, fieldOf, type Story, textOf, type Wanted } from './story.js';
import { type AlwaysOpenTeam, makeCampaignTeam, pathOf } from './team.js';

// The simulator's test destinations: the one answers the second call, the other none.
const ANSWERS_LATER = '+15005550107';
const NEVER_ANSWERS = '+15005550102';

/** Where an enrollment and its campaign are read. */
interface Paths {
  campaignId: string;
  campaign: string;
  enrollment: (id: string) => string;
}

/**
 * A campaign from its definition to its end: called, not answered, called again two hours later, reached; and
 * a contact that objects meanwhile. Gives what was dialed, by call request. The demo's clock is moved, so its
 * database must be its own.
 */
export async function runCampaign(
  story: Story,
  operator: Caller,
  database: DemoDatabase,
): Promise<Record<string, string>> {
  story.chapter('A campaign that calls, on a clock that is moved');
  if (!database.own) {
    story.note('Not shown: the clock of a database that is not the demo’s own is not moved.');
    return {};
  }
  const team = await makeCampaignTeam(story, operator);
  const paths = await defineCampaign(story, operator, team);
  const grace = await enroll(story, team, paths, ANSWERS_LATER, 'Grace Hopper');
  const alan = await enroll(story, team, paths, NEVER_ANSWERS, 'Alan Kay');

  const waiting = await readUntil(story, operator, paths, grace, 'Grace did not answer', {
    wanted: { field: 'waitingFor', value: 'retry' },
    expected: { status: 'active', step: 'first', attempts: 1, nextAttemptAt: INSTANT },
  });
  await suppress(story, operator, team, paths, alan);
  await moveClockTo(story, database, textOf(waiting, 'nextAttemptAt'));
  await readUntil(story, operator, paths, grace, 'Called again two hours later, and reached', {
    wanted: { field: 'status', value: 'completed' },
    expected: { endReason: 'reached', attempts: 2, waitingFor: null, nextAttemptAt: null },
  });
  await story.tell('The counts of the campaign', operator.get(`${paths.campaign}/stats`), {
    status: 200,
    body: including({
      enrolled: 2,
      live: 0,
      attempted: 2,
      reached: 1,
      ended: { reached: 1, suppressed: 1 },
      attempts: { no_answer: 2, completed: 1 },
    }),
  });
  return {
    ...(await dialsOf(story, operator, paths, grace, 'a call of the campaign to Grace')),
    ...(await dialsOf(story, operator, paths, alan, 'a call of the campaign to Alan')),
  };
}

/** Draft, publication and its warnings. */
async function defineCampaign(story: Story, operator: Caller, team: AlwaysOpenTeam): Promise<Paths> {
  const campaigns = `${pathOf(team)}/campaigns`;
  const made = await story.mention(operator.post(campaigns, { name: 'Renewals', status: 'active' }), 201);
  const campaignId = textOf(made, 'id');
  const campaign = `${campaigns}/${campaignId}`;
  const definition = {
    note: 'renewals of spring',
    steps: [
      {
        key: 'first',
        agentId: team.agentId,
        retry: { no_answer: ['PT2H'] },
        on: [{ outcome: 'completed', end: 'reached' }],
      },
    ],
    caps: { maxAttempts: 2, lifetime: 'P14D' },
  };
  const draft = await story.tell(
    'What the campaign does: call at once, and once more two hours after a call that was not answered',
    operator.post(`${campaign}/versions`, { definition }),
    { status: 201, body: including({ status: 'draft', definition }) },
  );
  await story.tell(
    'Published; the warnings say what to expect of it',
    operator.post(`${campaign}/versions/${textOf(draft, 'id')}/publish`),
    { status: 201, body: including({ status: 'published' }) },
  );
  return { campaignId, campaign, enrollment: (id) => `${campaign}/enrollments/${id}` };
}

/** A new contact, enrolled. Gives the enrollment's id. */
async function enroll(
  story: Story,
  { caller }: AlwaysOpenTeam,
  { campaignId }: Paths,
  phoneNumber: string,
  name: string,
): Promise<string> {
  const contact = await story.mention(caller.post('/api/contacts', { phoneNumber, name }), 201);
  const contactId = textOf(contact, 'contactId');
  const enrolled = await story.tell(
    `Enroll ${name}`,
    caller.post('/api/campaigns/enrollments', { contactId, campaignId }),
    { status: 201, body: { message: 'Contact enrolled successfully', enrollmentId: UUID } },
  );
  return textOf(enrolled, 'enrollmentId');
}

function readUntil(
  story: Story,
  operator: Caller,
  { enrollment }: Paths,
  id: string,
  what: string,
  { wanted, expected }: { wanted: Wanted; expected: Record<string, Expected> },
): Promise<Answer> {
  return story.tellOnce(what, operator.get(enrollment(id)), wanted, {
    status: 200,
    body: including(expected),
  });
}

/** While the contact waits to be called again, its number is put on the list: that ends the enrollment. */
async function suppress(
  story: Story,
  operator: Caller,
  team: AlwaysOpenTeam,
  paths: Paths,
  enrollment: string,
): Promise<void> {
  await readUntil(story, operator, paths, enrollment, 'Neither did Alan', {
    wanted: { field: 'waitingFor', value: 'retry' },
    expected: { status: 'active', attempts: 1, nextAttemptAt: INSTANT },
  });
  const body = { phoneNumbers: [NEVER_ANSWERS], reason: 'asked by e-mail' };
  await story.mention(operator.post(`${pathOf(team)}/do-not-call`, body), 201);
  await readUntil(
    story,
    operator,
    paths,
    enrollment,
    'His number is on the Do Not Call list: he is called no more',
    {
      wanted: { field: 'status', value: 'exited' },
      expected: { endReason: 'suppressed', waitingFor: null, nextAttemptAt: null },
    },
  );
}

async function moveClockTo(story: Story, database: DemoDatabase, instant: string): Promise<void> {
  await database.moveClockTo(instant);
  story.note(`The clock is moved to ${instant}, the next attempt.`);
}

/** The enrollment's calls, as its timeline has them. */
async function dialsOf(
  story: Story,
  operator: Caller,
  { enrollment }: Paths,
  id: string,
  what: string,
): Promise<Record<string, string>> {
  const answer = await story.until(operator.get(enrollment(id)), undefined);
  const timeline = fieldOf(answer, 'timeline') as { kind: string; callRequestId: string }[];
  const dials = timeline.filter(({ kind }) => kind === 'dial');
  return Object.fromEntries(dials.map(({ callRequestId }) => [callRequestId, what]));
}
