import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { carrierCallIdOf } from '../../src/carriers/simulator/played-call.js';
import {
  buildAgent,
  buildApiKey,
  buildCall,
  buildCampaign,
  buildCarrierAccount,
  buildConsent,
  buildContact,
  buildEnrollment,
  buildImport,
  buildPhoneNumber,
  buildPool,
  buildTeam,
  buildVersion,
  insertRow,
  type Row,
} from '../support/builders.js';

/** The credentials of its carrier accounts. */
export const ACCOUNT_KEY = 'key_of_the_planted_accounts';

/** The id that Retell gave its call. */
export const RETELL_CALL = 'call_at_retell';

/** The id that Vapi gave its call. */
export const VAPI_CALL = 'call-at-vapi';

/** The id that ElevenLabs gave its call. */
export const ELEVENLABS_CALL = 'conv_at_elevenlabs';

/** A team that has one of everything, each in the state that a request for it needs. */
export interface PlantedTeam {
  importId: string;
  endedImportId: string;
  heldImportId: string;
  teamId: string;
  apiKey: string;
  /** A key that can be revoked. */
  spareKeyId: string;
  /** Named by the draft of the paused campaign. */
  agentId: string;
  /** Named by nothing. */
  spareAgentId: string;
  carrierAccountId: string;
  /** Of an account at Vapi. */
  vapiAccountId: string;
  /** Of an account at ElevenLabs. */
  elevenLabsAccountId: string;
  /** For a page to delete. */
  spareCarrierAccountId: string;
  phoneNumberId: string;
  poolId: string;
  /** Of phone numbers, of which `used` is the agent's and the pool's. */
  numbers: {
    used: string;
    contact: string;
    doNotCall: string;
    platform: string;
    whitelisted: string;
    free: string;
  };
  contactId: string;
  /** Of `contactId`. */
  externalId: string;
  /** In no campaign. */
  looseContactId: string;
  campaignId: string;
  draftlessCampaignId: string;
  pausedCampaignId: string;
  publishedVersionId: string;
  draftVersionId: string;
  activeEnrollmentId: string;
  pausedEnrollmentId: string;
  exitedEnrollmentId: string;
  /** Active, for a request with a key to end. */
  spareEnrollmentId: string;
  /** A campaign like `campaignId`, for the requests with a key, which would be in the way of the operator's. */
  twin: {
    campaignId: string;
    publishedVersionId: string;
    draftVersionId: string;
    agentId: string;
    carrierAccountId: string;
  };
  /** Without a draft, for a request with a key. */
  otherDraftlessCampaignId: string;
  pendingCallId: string;
  /** Another pending call, for the operator to cancel. */
  scheduledCallId: string;
  completedCallId: string;
  unknownCallId: string;
  /** Under way, of an agent that talks through Twilio. */
  talkingCallId: string;
  /** Under way at Retell. */
  retellCallId: string;
  /** Under way at Vapi. */
  vapiCallId: string;
  /** Under way at ElevenLabs. */
  elevenLabsCallId: string;
  /** In progress at the simulator. */
  simulatedCallId: string;
  otherSimulatedCallId: string;
  consentId: string;
  /** Another consent, for the operator to revoke. */
  spareConsentId: string;
  webhookEndpointId: string;
  webhookDeliveryId: string;
}

/**
 * @param mark stands in every text of the team.
 * @param prefix of its numbers, in E.164 without the last three digits.
 */
export async function plantTeam(db: DataSource, mark: string, prefix: string): Promise<PlantedTeam> {
  let last = 100;
  const number = () => `${prefix}${(last += 1)}`;
  const { id: teamId } = await buildTeam(db, { name: `${mark} team` });
  const apiKey = `od_test_${randomBytes(16).toString('hex')}`;
  await buildApiKey(db, teamId, { name: mark, key_hash: createHash('sha256').update(apiKey).digest() });
  const spare = await buildApiKey(db, teamId, { name: `${mark} spare` });
  const used = number();
  const { id: phoneNumberId } = await buildPhoneNumber(db, teamId, { phone_number: used });
  const { id: poolId } = await buildPool(db, teamId, { name: `${mark} pool` });
  await insertRow(db, 'number_pool_members', { team_id: teamId, number_pool_id: poolId, phone_number: used });
  const { id: agentId } = await buildAgent(db, teamId, {
    name: `${mark} agent`,
    outbound_phone_number: used,
    prompt_template: `${mark} {{contact.name}}`,
  });
  const account = (row: Row = {}) =>
    buildCarrierAccount(db, teamId, {
      name: `${mark} account`,
      credentials: JSON.stringify({ apiKey: ACCOUNT_KEY }),
      ...row,
    });
  const [carrierAccount, spareAccount, twinAccount] = [await account(), await account(), await account()];
  const vapiAccount = await account({ carrier: 'vapi' });
  const elevenLabsAccount = await account({
    carrier: 'elevenlabs',
    credentials: JSON.stringify({ apiKey: ACCOUNT_KEY, webhookSecret: ACCOUNT_KEY }),
  });
  const contact = (row: Row = {}) =>
    buildContact(db, teamId, {
      phone_number: number(),
      name: `${mark} name`,
      email: `${mark}@example.com`,
      company_name: `${mark} company`,
      company_website: `https://${mark}.example.com`,
      custom_properties: { secret: mark },
      ...row,
    });
  const [first, loose, second, third] = [
    await contact({ external_id: `${mark}-crm-1` }),
    await contact(),
    await contact(),
    await contact(),
  ];
  const fourth = await contact();
  const campaign = await buildCampaign(db, teamId, { name: `${mark} campaign` });
  const draftless = await buildCampaign(db, teamId, { name: `${mark} other` });
  const otherDraftless = await buildCampaign(db, teamId, { name: `${mark} second` });
  const twin = await buildCampaign(db, teamId, { name: `${mark} twin` });
  const twinDraft = await buildVersion(db, teamId, twin.id, { definition: { secret: mark } });
  const twinAgent = await buildAgent(db, teamId, { name: `${mark} twin` });
  const paused = await buildCampaign(db, teamId, { name: `${mark} paused`, status: 'paused' });
  const draft = await buildVersion(db, teamId, campaign.id, { definition: { secret: mark } });
  const definition = { steps: [{ key: 'first', agentId }] };
  await buildVersion(db, teamId, paused.id, { definition, definition_format: 1 });
  const spareAgent = await buildAgent(db, teamId, { name: `${mark} spare` });
  const enrolled = (contactId: string, status: string) =>
    buildEnrollment(
      db,
      {
        team_id: teamId,
        campaign_id: campaign.id,
        contact_id: contactId,
        version_id: campaign.current_version_id,
      },
      { status, source: mark },
    );
  const active = await enrolled(first.id, 'active');
  const pausedOne = await enrolled(second.id, 'paused');
  const exited = await enrolled(third.id, 'exited');
  const spareOne = await enrolled(fourth.id, 'active');
  const call = (row: Row) =>
    buildCall(
      db,
      { team_id: teamId, agent_id: agentId, contact_id: first.id, phone_number: first.phone_number },
      { variables: { secret: mark }, prompt: `${mark} prompt`, ...row },
    );
  // Long ago, so that they are in no call's way; but one is pending.
  const claimed = { claimed_at: new Date(0), processed_at: new Date(0), caller_id: used };
  const inAnHour = new Date(Date.now() + 3_600_000);
  const pending = await call({ status: 'scheduled', runs_at: inAnHour });
  const scheduled = await call({ status: 'scheduled', runs_at: inAnHour });
  const completed = await call({ status: 'completed', carrier: 'http', ...claimed, ended_at: new Date(0) });
  await insertRow(db, 'call_results', {
    call_request_id: completed.id,
    team_id: teamId,
    disposition: mark,
    opt_out: false,
    data: { secret: mark },
    recorded_at: new Date(0),
  });
  const unknown = await call({ status: 'dial_unknown', ...claimed });
  const talker = await buildAgent(db, teamId, {
    name: `${mark} talker`,
    outbound_phone_number: used,
    carrier_settings: { conversationRelayUrl: `wss://${mark}.example.com` },
  });
  const underWay = { status: 'in_progress', carrier: 'twilio', ...claimed };
  const talking = await call({ ...underWay, agent_id: talker.id });
  const atRetell = await call({ ...underWay, carrier: 'retell', carrier_call_id: RETELL_CALL });
  const atVapi = await call({ ...underWay, carrier: 'vapi', carrier_call_id: VAPI_CALL });
  const atElevenLabs = await call({
    ...underWay,
    carrier: 'elevenlabs',
    carrier_call_id: ELEVENLABS_CALL,
  });
  // The ids of calls that the simulator plays for an hour.
  const simulated = () =>
    call({
      ...underWay,
      carrier: 'simulator',
      carrier_call_id: carrierCallIdOf({
        outcome: 'completed',
        dialedAt: Date.now(),
        acceptMs: 0,
        ringMs: 0,
        talkMs: 3_600_000,
      }),
    });
  const [firstSimulated, secondSimulated] = [await simulated(), await simulated()];
  const numbers = {
    used,
    contact: first.phone_number,
    doNotCall: number(),
    platform: number(),
    whitelisted: number(),
    free: number(),
  };
  await insertRow(db, 'do_not_call', { team_id: teamId, phone_number: numbers.doNotCall, reason: mark });
  // It is of every team, and stays when the teams are planted again.
  await db.query('INSERT INTO platform_do_not_call (phone_number) VALUES ($1) ON CONFLICT DO NOTHING', [
    numbers.platform,
  ]);
  await insertRow(db, 'whitelist', { team_id: teamId, phone_number: numbers.whitelisted });
  const consent = () =>
    buildConsent(db, teamId, { phone_number: numbers.free, source: mark, evidence: mark });
  const [firstConsent, secondConsent] = [await consent(), await consent()];
  const running = await buildImport(db, teamId);
  const ended = await buildImport(db, teamId, { status: 'finished', finished_at: new Date() });
  const held = await buildImport(db, teamId, {
    status: 'held',
    leased_until: new Date(Date.now() + 3_600_000),
  });
  const endpoint = await insertRow<{ id: string }>(db, 'webhook_endpoints', {
    team_id: teamId,
    url: `https://${mark}.example.com/`,
    description: mark,
    secret: `whsec_${mark}`,
  });
  const delivery = await insertRow<{ id: string }>(db, 'webhook_deliveries', {
    id: randomUUID(),
    team_id: teamId,
    endpoint_id: endpoint.id,
    event_id: randomUUID(),
    type: 'call.ended',
    status: 'failed',
    attempts: 10,
    response_code: 500,
    answer: mark,
    duration_ms: 7,
    created_at: new Date(),
  });
  return {
    importId: running.id,
    endedImportId: ended.id,
    heldImportId: held.id,
    consentId: firstConsent.id,
    spareConsentId: secondConsent.id,
    webhookEndpointId: endpoint.id,
    webhookDeliveryId: delivery.id,
    teamId,
    apiKey,
    spareKeyId: spare.id,
    agentId,
    phoneNumberId,
    poolId,
    numbers,
    spareAgentId: spareAgent.id,
    carrierAccountId: carrierAccount.id,
    vapiAccountId: vapiAccount.id,
    elevenLabsAccountId: elevenLabsAccount.id,
    spareCarrierAccountId: spareAccount.id,
    contactId: first.id,
    externalId: `${mark}-crm-1`,
    looseContactId: loose.id,
    campaignId: campaign.id,
    draftlessCampaignId: draftless.id,
    pausedCampaignId: paused.id,
    publishedVersionId: campaign.current_version_id,
    draftVersionId: draft.id,
    activeEnrollmentId: active.id,
    pausedEnrollmentId: pausedOne.id,
    exitedEnrollmentId: exited.id,
    spareEnrollmentId: spareOne.id,
    otherDraftlessCampaignId: otherDraftless.id,
    twin: {
      campaignId: twin.id,
      publishedVersionId: twin.current_version_id,
      draftVersionId: twinDraft.id,
      agentId: twinAgent.id,
      carrierAccountId: twinAccount.id,
    },
    pendingCallId: pending.id,
    scheduledCallId: scheduled.id,
    completedCallId: completed.id,
    unknownCallId: unknown.id,
    talkingCallId: talking.id,
    retellCallId: atRetell.id,
    vapiCallId: atVapi.id,
    elevenLabsCallId: atElevenLabs.id,
    simulatedCallId: firstSimulated.id,
    otherSimulatedCallId: secondSimulated.id,
  };
}
