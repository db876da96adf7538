import { randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';
import {
  buildAgent,
  buildCampaign,
  buildConsent,
  buildContact,
  buildEnrollment,
  buildImport,
  buildPool,
  buildVersion,
  insertRow,
  nextNumber,
} from '../support/builders.js';
import { type Caller, weekdays } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { CLAIM } from './told-calls.js';

/** The pages that the dashboard has, by the names of their pictures. */
export async function addressesOf(db: DataSource, caller: Caller): Promise<Record<string, string>> {
  const { teamId } = caller;
  const team = `/t/${teamId}`;
  const phoneNumber = nextNumber();
  const number = encodeURIComponent(phoneNumber);
  const { id: completed } = await buildStoredCall(db, caller, phoneNumber, {
    status: 'completed',
    ...CLAIM,
    carrier: 'simulator',
    first_message: 'Hello, this is a reminder.',
    prompt: 'Be kind.',
  });
  await insertRow(db, 'call_results', {
    call_request_id: completed,
    team_id: teamId,
    disposition: 'interested',
    opt_out: false,
    data: JSON.stringify({
      summary: 'Ada wants to come on Friday.',
      transcript: 'Agent: Hello\nAda: Hello',
      recordingUrl: 'https://recordings.example.com/1.mp3',
      analysis: { mood: 'good' },
    }),
    recorded_at: new Date(),
  });
  const { id: unreported } = await buildStoredCall(db, caller, nextNumber(), {
    status: 'completed',
    ...CLAIM,
    carrier: 'simulator',
  });
  const { id: scheduled } = await buildStoredCall(db, caller, phoneNumber, { status: 'scheduled' });
  const claimed = { carrier: 'simulator', claimed_at: new Date(), caller_id: caller.callerNumber };
  const { id: unknown } = await buildStoredCall(db, caller, nextNumber(), {
    status: 'dial_unknown',
    reason: 'NO_WORD',
    processed_at: new Date(),
    ...claimed,
  });
  await db.query(
    `INSERT INTO do_not_call (team_id, phone_number, reason) VALUES ($1, $2, 'Asked by letter')`,
    [teamId, phoneNumber],
  );
  await insertRow(db, 'limited_do_not_call', {
    team_id: teamId,
    phone_number: nextNumber(),
    scope: 'agent',
    agent_id: caller.agentId,
    purpose: 'marketing',
    reason: 'Asked this agent',
    effective_from: new Date(),
    expires_at: new Date(Date.now() + 86_400_000),
    created_at: new Date(),
  });
  await insertRow(db, 'whitelist', { team_id: teamId, phone_number: phoneNumber });
  for (const granted_at of [new Date(0), new Date()])
    await buildConsent(db, teamId, {
      phone_number: phoneNumber,
      level: 'expressWritten',
      purpose: 'marketing',
      source: 'Web form',
      evidence: 'https://forms.example.com/7f3a',
      granted_at,
    });
  const contact = await buildContact(db, teamId, {
    phone_number: nextNumber(),
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    external_id: 'crm-4711',
    custom_properties: { plan: 'gold', seats: 12 },
  });
  const [called] = await db.query<{ id: string }[]>(
    'SELECT id FROM contacts WHERE team_id = $1 AND phone_number = $2',
    [teamId, phoneNumber],
  );
  const campaign = await buildCampaign(db, teamId, { name: 'Spring reminders' });
  const { agentId } = caller;
  const version = await buildVersion(db, teamId, campaign.id, {
    number: 2,
    definition_format: DEFINITION_FORMAT,
    definition: {
      steps: [
        {
          key: 'first',
          agentId,
          retry: { no_answer: ['PT2H', 'P1D'] },
          on: [
            { disposition: 'interested', goal: true },
            { outcome: 'no_response', next: 'second' },
          ],
        },
        { key: 'second', agentId, after: 'P3D' },
      ],
      variables: { offer: 'spring' },
      hours: { monday: [{ start: '09:00', end: '17:00' }] },
      caps: { perNumber: [{ count: 1, per: 'PT24H' }], lifetime: 'P14D' },
    },
  });
  const another = await buildCampaign(db, teamId, { name: 'Autumn reminders' });
  const enrollment = await buildEnrollment(
    db,
    {
      team_id: teamId,
      campaign_id: campaign.id,
      contact_id: contact.id,
      version_id: campaign.current_version_id,
    },
    { waiting_for: 'hours', next_attempt_at: new Date(Date.now() + 3_600_000) },
  );
  const pool = await buildPool(db, teamId, { name: 'California' });
  await db.query(
    'INSERT INTO number_pool_members (team_id, number_pool_id, phone_number) VALUES ($1, $2, $3)',
    [teamId, pool.id, caller.callerNumber],
  );
  const agent = await buildAgent(db, teamId, {
    ...weekdays('America/New_York'),
    name: 'Winback',
    first_message_template: 'Hello {{contact.name | there}}, this is the assistant of Northwind Clinics.',
    prompt_template:
      'Ask {{contact.name}} of {{contact.companyName}} about {{contact.emial}} and {{orderId}}.',
    closed_dates: ['2099-12-25'],
    number_pool_id: pool.id,
    carrier: 'retell',
    carrier_settings: { agentId: 'agent_7f3a', ringTimeoutSeconds: 30 },
  });
  const ended = await buildImport(db, teamId, { failed: 1 });
  const column = (header: string, field: string | null) => ({
    header,
    field,
    customProperty: field === null ? header : null,
    part: null,
  });
  const held = await buildImport(db, teamId, {
    status: 'held',
    rows: 4,
    leased_until: new Date(Date.now() + 3_600_000),
    mapping: JSON.stringify([column('Phone', 'phoneNumber'), column('Name', 'name'), column('Plan', null)]),
  });
  await insertRow(db, 'import_chunks', {
    import_id: held.id,
    team_id: teamId,
    first_row: 3,
    rows: 2,
    data: '[["+14155550142","Ada Lovelace","gold"],["12","Mavis Batey","silver"]]',
    endings: [155_550_142, 12],
  });
  const endpoint = await insertRow<{ id: string }>(db, 'webhook_endpoints', {
    team_id: teamId,
    url: 'https://crm.example.com/outdial',
    description: 'Our CRM',
    secret: 'whsec_x',
    failing_since: new Date(),
  });
  const delivery = await insertRow<{ id: string }>(db, 'webhook_deliveries', {
    id: randomUUID(),
    team_id: teamId,
    endpoint_id: endpoint.id,
    event_id: randomUUID(),
    type: 'call.ended',
    status: 'failed',
    attempts: 10,
    attempted_at: new Date(),
    response_code: 401,
    answer: '{"error":"signature"}',
    duration_ms: 27,
    created_at: new Date(),
  });
  const ofCampaign = `${team}/campaigns/${campaign.id}`;
  return {
    home: '/',
    design: '/design',
    platform: '/platform',
    'platform-of-team': `/platform?teamId=${teamId}`,
    'platform-calls': '/platform/calls',
    'platform-campaigns': '/platform/campaigns',
    'platform-numbers': `/platform/numbers?teamId=&phoneNumber=${number}`,
    'platform-do-not-call': '/platform/do-not-call',
    team,
    calls: `${team}/calls`,
    'calls-scheduled': `${team}/calls?status=scheduled`,
    'calls-refused': `${team}/calls?status=lost&day=tomorrow`,
    cancel: `${team}/calls/cancel?status=scheduled`,
    'call-completed': `${team}/calls/${completed}`,
    'call-without-result': `${team}/calls/${unreported}`,
    'call-scheduled': `${team}/calls/${scheduled}`,
    'call-unknown': `${team}/calls/${unknown}`,
    resolve: `${team}/calls/${unknown}/resolve?outcome=completed`,
    agents: `${team}/agents`,
    'agent-new': `${team}/agents/new`,
    agent: `${team}/agents/${agent.id}?contact=${contact.id}`,
    'agent-edit': `${team}/agents/${agent.id}/edit`,
    numbers: `${team}/numbers`,
    'pool-new': `${team}/numbers/pools/new`,
    pool: `${team}/numbers/pools/${pool.id}`,
    number: `${team}/numbers?phoneNumber=${number}`,
    'number-contact': `${team}/numbers?phoneNumber=${encodeURIComponent(String(contact.phone_number))}`,
    'do-not-call': `${team}/do-not-call?phoneNumber=${number}`,
    whitelist: `${team}/whitelist?phoneNumber=${number}`,
    consents: `${team}/consents`,
    'consents-number': `${team}/consents?phoneNumber=${number}`,
    imports: `${team}/imports`,
    import: `${team}/imports/${ended.id}`,
    'import-new': `${team}/imports/new?campaignId=${campaign.id}`,
    'import-preview': `${team}/imports/${held.id}/preview`,
    webhooks: `${team}/webhooks`,
    'webhook-endpoint': `${team}/webhooks/${endpoint.id}`,
    'webhook-replay': `${team}/webhooks/${endpoint.id}?after=4711`,
    'webhook-delivery': `${team}/webhooks/${endpoint.id}/deliveries/${delivery.id}`,
    contacts: `${team}/contacts`,
    'contacts-filtered': `${team}/contacts?namePrefix=ada`,
    'contacts-refused': `${team}/contacts?phoneNumber=x`,
    'contact-new': `${team}/contacts/new`,
    'contact-edit': `${team}/contacts/${contact.id}/edit`,
    contact: `${team}/contacts/${contact.id}`,
    'contact-called': `${team}/contacts/${called?.id}?agent=${caller.agentId}`,
    erase: `${team}/contacts/${contact.id}/erase`,
    campaigns: `${team}/campaigns`,
    'campaign-new': `${team}/campaigns/new`,
    'campaign-edit': `${ofCampaign}/edit`,
    campaign: ofCampaign,
    migrate: `${ofCampaign}/migrate?from=${campaign.current_version_id}&to=${version.id}`,
    enroll: `${ofCampaign}/enroll`,
    enrollments: `${ofCampaign}/enrollments`,
    enrollment: `${ofCampaign}/enrollments/${enrollment.id}`,
    'version-draft': `${ofCampaign}/versions/${version.id}`,
    'version-published': `${ofCampaign}/versions/${campaign.current_version_id}`,
    'version-publish': `${ofCampaign}/versions/${version.id}/publish`,
    'version-new': `${team}/campaigns/${another.id}/versions/new`,
    forecast: `${ofCampaign}/versions/${campaign.current_version_id}/forecast`,
    account: '/account',
    start: '/start',
    'second-factor': '/account/second-factor',
    search: `${team}/search?q=ada`,
    'search-nothing': `${team}/search?q=${encodeURIComponent('nothing is called this')}`,
    audit: `${team}/audit`,
    'getting-started': `${team}/getting-started`,
    'settings-team': `${team}/settings/team`,
    'settings-api-keys': `${team}/settings/api-keys`,
    'settings-members': `${team}/settings/members`,
    'settings-carriers': `${team}/settings/carriers`,
    'settings-compliance': `${team}/settings/compliance`,
    'settings-retention': `${team}/settings/retention`,
    'platform-search': '/platform/search?q=ada',
    'platform-teams': '/platform/teams',
    'platform-operators': '/platform/operators',
    'platform-carriers': '/platform/carriers',
    'platform-queues': '/platform/queues',
    'platform-health': '/platform/health',
    'platform-audit': '/platform/audit',
    missing: `${team}/nothing`,
  };
}

/** The pages that need no session. */
export const PUBLIC_ADDRESSES: Record<string, string> = {
  'sign-in': '/login',
  'link-invalid': `/reset/${'x'.repeat(43)}`,
};
