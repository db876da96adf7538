import { type DataSource } from 'typeorm';
import {
  buildCampaign,
  buildConsent,
  buildContact,
  buildEnrollment,
  buildVersion,
  insertRow,
  nextNumber,
} from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';
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
  const version = await buildVersion(db, teamId, campaign.id, { number: 2 });
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
    'call-scheduled': `${team}/calls/${scheduled}`,
    'call-unknown': `${team}/calls/${unknown}`,
    resolve: `${team}/calls/${unknown}/resolve?outcome=completed`,
    numbers: `${team}/numbers`,
    number: `${team}/numbers?phoneNumber=${number}`,
    'number-contact': `${team}/numbers?phoneNumber=${encodeURIComponent(String(contact.phone_number))}`,
    'do-not-call': `${team}/do-not-call?phoneNumber=${number}`,
    consents: `${team}/consents`,
    'consents-number': `${team}/consents?phoneNumber=${number}`,
    contacts: `${team}/contacts`,
    'contacts-filtered': `${team}/contacts?namePrefix=ada`,
    'contacts-refused': `${team}/contacts?phoneNumber=x`,
    'contact-new': `${team}/contacts/new`,
    'contact-edit': `${team}/contacts/${contact.id}/edit`,
    contact: `${team}/contacts/${contact.id}`,
    'contact-called': `${team}/contacts/${called?.id}?agent=${caller.agentId}`,
    erase: `${team}/contacts/${contact.id}/erase`,
    campaigns: `${team}/campaigns`,
    campaign: ofCampaign,
    migrate: `${ofCampaign}/migrate?from=${campaign.current_version_id}&to=${version.id}`,
    enrollments: `${ofCampaign}/enrollments`,
    enrollment: `${ofCampaign}/enrollments/${enrollment.id}`,
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
