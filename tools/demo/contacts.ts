import { INSTANT, UUID } from './expectation.js';
import { Caller, type Story, textOf } from './story.js';
import { type DemoCast, pathOf } from './team.js';

export const ADA = '+14155550142';

/** The contract's three endpoints about contacts and campaigns, and the reads that verify them. */
export async function keepContacts(story: Story, operator: Caller, cast: DemoCast): Promise<void> {
  story.chapter('Contacts and campaigns');
  const campaign = async (name: string, status: string): Promise<string> =>
    textOf(await story.mention(operator.post(`${pathOf(cast)}/campaigns`, { name, status }), 201), 'id');
  const [welcome, renewals] = [await campaign('Welcome', 'active'), await campaign('Renewals', 'active')];
  const summer = await campaign('Summer', 'paused');
  const { caller, teamId } = cast;

  const contactId = await createContact(story, cast, welcome);
  await story.tell(
    'The same number in another spelling: a duplicate',
    caller.post('/api/contacts', { phoneNumber: '+1 (415) 555-0142' }),
    { status: 400, body: { error: 'Contact existed', contactId } },
  );
  await updateContact(story, cast, contactId);

  const enroll = { contactId, teamId, campaignId: renewals, source: 'demo', version: 'current' };
  const enrolled = await story.tell(
    'Enroll a contact that exists',
    caller.post('/api/campaigns/enrollments', enroll),
    { status: 201, body: { message: 'Contact enrolled successfully', enrollmentId: UUID } },
  );
  const enrollmentId = textOf(enrolled, 'enrollmentId');
  await story.tell('Enroll it again', caller.post('/api/campaigns/enrollments', enroll), {
    status: 409,
    body: { error: 'Contact is already enrolled in this campaign', enrollmentId, status: 'active' },
  });
  await story.tell(
    'Enroll it in a campaign that is paused',
    caller.post('/api/campaigns/enrollments', { contactId, campaignId: summer }),
    { status: 422, body: { error: /not active/ } },
  );
  await story.tell(
    'With a wrong key',
    new Caller('od_live_wrong').post('/api/contacts', { phoneNumber: '+14155550145' }),
    { status: 401, body: { error: 'Invalid API key' } },
  );
}

/** Contract 4.2, and how its caller makes sure of the enrollment. */
async function createContact(
  story: Story,
  { caller, teamId }: DemoCast,
  campaignId: string,
): Promise<string> {
  const created = await story.tell(
    'Create a contact and enroll it, best effort; plan is a property of its own',
    caller.post('/api/contacts', {
      phoneNumber: ADA,
      teamId,
      name: 'Ada Lovelace',
      companyName: 'Analytical Engines',
      campaignId,
      plan: 'gold',
    }),
    { status: 201, body: { message: /^Contact .* created successfully$/, contactId: UUID } },
  );
  const contactId = textOf(created, 'contactId');
  story.check(
    'the message names the contact',
    `Contact ${contactId} created successfully`,
    textOf(created, 'message'),
  );
  await story.tell(
    'Whether it was enrolled',
    caller.get(`/api/campaigns/enrollments?contactId=${contactId}&campaignId=${campaignId}`),
    {
      status: 200,
      body: {
        items: [
          {
            id: UUID,
            enrollmentId: UUID,
            contactId,
            externalId: null,
            campaignId,
            versionId: UUID,
            entry: 1,
            status: 'active',
            endReason: null,
            step: null,
            nextAttemptAt: null,
            waitingFor: 'no_steps',
            source: null,
            createdAt: INSTANT,
            updatedAt: INSTANT,
          },
        ],
      },
    },
  );
  return contactId;
}

/** Contract 4.4, and what has become of the contact. */
async function updateContact(story: Story, { caller, teamId }: DemoCast, contactId: string): Promise<void> {
  await story.tell(
    'Create or update: it exists, so what is sent is updated and the rest stays',
    caller.post('/api/campaigns/contact-enrollments', {
      phoneNumber: ADA,
      teamId,
      email: 'ada@example.com',
      seats: 12,
    }),
    { status: 200, body: { message: 'success', contactId } },
  );
  await story.tell('The contact now', caller.get(`/api/contacts/${contactId}`), {
    status: 200,
    body: {
      contactId,
      externalId: null,
      phoneNumber: ADA,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      companyName: 'Analytical Engines',
      companyWebsite: null,
      timezone: null,
      customProperties: { plan: 'gold', seats: 12 },
    },
  });
}
