import { vapiNameOf } from '../../src/carriers/vapi/vapi-call.js';
import { ACCOUNT_KEY, ELEVENLABS_CALL, type PlantedTeam, RETELL_CALL, VAPI_CALL } from './planted-team.js';

/**
 * What a request needs beyond its route; `path` replaces the parameters that {@link pathOf} would fill in
 * itself.
 */
export interface Valid {
  path?: Record<string, string>;
  query?: string;
  body?: object;
}

const TWILIO_CALL = { CallSid: `CA${'0'.repeat(32)}` };

/**
 * A request for every operation that succeeds once on a freshly planted team, by `operationId` and in an
 * order in which none spoils another.
 */
export function validRequests(team: PlantedTeam): Record<string, Valid> {
  const { numbers, campaignId } = team;
  const agent = { name: 'Agent', timezone: 'UTC', callingHours: null };
  const carrierAccount = { name: 'Main', carrier: 'retell', credentials: { apiKey: 'key_0123456789abcdef' } };
  // The same key, with which the account's report is signed afterwards.
  const rotation = { credentials: { apiKey: ACCOUNT_KEY } };
  const retellReport = {
    event: 'call_started',
    call: {
      call_id: RETELL_CALL,
      call_status: 'ongoing',
      metadata: { outdial_call_request_id: team.retellCallId, outdial_generation: '0' },
    },
  };
  const vapiReport = {
    message: {
      type: 'status-update',
      status: 'in-progress',
      call: { id: VAPI_CALL, name: vapiNameOf(team.vapiCallId, 0) },
    },
  };
  const elevenLabsReport = {
    type: 'post_call_transcription',
    event_timestamp: 1_795_183_439,
    data: { conversation_id: ELEVENLABS_CALL, status: 'done', user_id: team.elevenLabsCallId },
  };
  const endpoint = { id: team.webhookEndpointId };
  const draft = { campaignId, versionId: team.draftVersionId };
  const { twin } = team;
  const twinDraft = { campaignId: twin.campaignId, versionId: twin.draftVersionId };
  const forecast = {
    from: '2027-03-22T09:00:00+01:00',
    until: '2027-03-29T09:00:00+02:00',
    concurrency: 10,
    seed: 7,
    assume: { completed: 0.4, no_answer: 0.5, seconds: 90 },
    contacts: 100,
    zones: ['Europe/Berlin', 'America/New_York'],
  };
  return {
    triggerCall: { body: { phoneNumber: numbers.free, fullName: 'Ada', order: 7 } },
    explainCall: { body: { phoneNumber: numbers.free, fullName: 'Ada', order: 7 } },
    listCallsByKey: {
      query: `status=completed&agentId=${team.agentId}&acceptedTo=2099-01-01T00:00:00Z`,
    },
    exportCalls: { query: 'format=ndjson&status=completed' },
    getCall: { path: { callRequestId: team.completedCallId } },
    cancelCall: { path: { callRequestId: team.pendingCallId } },
    hangUpCall: { path: { callRequestId: team.simulatedCallId } },
    reportCallResult: {
      path: { callRequestId: team.unknownCallId },
      body: {
        disposition: 'later',
        callbackAt: '2027-03-28T09:00:00+02:00',
        optOut: false,
        data: { note: 'x' },
      },
    },
    createContact: { body: { phoneNumber: '+14155550999', name: 'Ada', plan: 'gold', campaignId } },
    createContactAndEnroll: { body: { phoneNumber: numbers.contact, timezone: 'UTC' } },
    getContact: {},
    exportContacts: {},
    listContacts: { query: 'email=ada@example.com&updatedSince=2026-01-01T00:00:00Z' },
    updateContact: { body: { name: 'Ada King', companyWebsite: null, plan: 'platinum' } },
    updateContactByExternalId: { body: { name: 'Ada King', plan: 'platinum' } },
    listEvents: { query: 'after=0&types=call.scheduled,enrollment.created&limit=10' },
    createImport: {
      query: `campaignId=${campaignId}&version=current&mode=create`,
      body: { phoneNumber: '+14155550994', name: 'Ada', plan: 'gold' },
    },
    listImports: { query: 'status=running&limit=1' },
    getImport: {},
    getImportResults: { query: 'failed=true' },
    cancelImport: {},
    startImport: { path: { importId: team.heldImportId } },
    undoImport: { path: { importId: team.endedImportId } },
    listDoNotCallByKey: {},
    addToDoNotCallByKey: { body: { phoneNumbers: ['+14155550996'], reason: 'asked' } },
    doNotCallHistoryByKey: { query: 'phoneNumber=%2B14155550996&limit=1' },
    listLimitedDoNotCallByKey: { query: 'limit=1' },
    removeFromDoNotCallByKey: { path: { phoneNumber: '+14155550996' } },
    listConsentsByKey: { query: 'phoneNumber=%2B14155550995&limit=1' },
    recordConsentByKey: {
      body: {
        phoneNumber: '+14155550995',
        level: 'expressWritten',
        purpose: 'marketing',
        source: 'planted form',
        grantedAt: '2026-11-20T14:00:00Z',
      },
    },
    revokeConsentByKey: { path: { id: team.consentId }, body: { reason: 'asked' } },
    listCarrierAccountsByKey: {},
    createCarrierAccountByKey: { body: carrierAccount },
    getCarrierAccountByKey: { path: { id: team.carrierAccountId } },
    updateCarrierAccountByKey: { path: { id: team.carrierAccountId }, body: rotation },
    checkCarrierAccountByKey: { path: { id: team.carrierAccountId } },
    deleteCarrierAccountByKey: { path: { id: twin.carrierAccountId } },
    listVoiceAgentsByKey: { query: 'limit=1' },
    createVoiceAgentByKey: { body: { ...agent, outboundPhoneNumber: numbers.used } },
    getVoiceAgentByKey: { path: { id: team.agentId } },
    updateVoiceAgentByKey: { path: { id: twin.agentId }, body: { numberPoolId: team.poolId } },
    deleteVoiceAgentByKey: { path: { id: twin.agentId } },
    listPhoneNumbersByKey: {},
    getPhoneNumberByKey: { path: { id: team.phoneNumberId } },
    listNumberPoolsByKey: {},
    createNumberPoolByKey: { body: { name: 'Pool', phoneNumbers: [numbers.used] } },
    getNumberPoolByKey: { path: { id: team.poolId } },
    updateNumberPoolByKey: { path: { id: team.poolId }, body: { name: 'Renamed' } },
    createWebhookEndpoint: { body: { url: 'https://example.com/hook', types: ['call.ended'] } },
    listWebhookEndpoints: { query: 'limit=1' },
    getWebhookEndpoint: { path: endpoint },
    updateWebhookEndpoint: { path: endpoint, body: { types: null, description: 'CRM' } },
    rotateWebhookSecret: { path: endpoint },
    testWebhookEndpoint: { path: endpoint },
    listWebhookDeliveries: { path: endpoint, query: 'status=failed' },
    replayWebhookEvents: { path: endpoint, body: { after: 0, until: 7 } },
    getWebhookDelivery: { path: { id: team.webhookDeliveryId } },
    retryWebhookDelivery: { path: { id: team.webhookDeliveryId } },
    deleteWebhookEndpoint: { path: endpoint },
    getOwnKey: {},
    enrollContact: { body: { contactId: team.looseContactId, campaignId, source: 'test', version: 'draft' } },
    listEnrollments: { query: `contactId=${team.contactId}` },
    listCampaignsByKey: { query: 'limit=1' },
    getCampaignByKey: { path: { id: campaignId } },
    createCampaignByKey: { body: { name: 'Campaign', status: 'paused' } },
    updateCampaignByKey: { path: { id: twin.campaignId }, body: { status: 'paused' } },
    getCampaignStatsByKey: { path: { id: twin.campaignId } },
    getCampaignResultsByKey: {
      path: { id: campaignId },
      query: 'format=ndjson&properties=plan&updatedFrom=2026-01-01T00:00:00Z',
    },
    listCampaignVersionsByKey: {},
    createCampaignVersionByKey: {
      path: { campaignId: team.otherDraftlessCampaignId },
      body: { definition: { steps: [{ key: 'first', agentId: team.agentId }] } },
    },
    getCampaignVersionByKey: { path: twinDraft },
    updateCampaignVersionByKey: { path: twinDraft, body: { definition: {} } },
    publishCampaignVersionByKey: { path: twinDraft },
    migrateCampaignVersionByKey: { path: twinDraft, body: { fromVersionId: twin.publishedVersionId } },
    forecastCampaignVersionByKey: { path: twinDraft, body: forecast },
    archiveCampaignByKey: { path: { id: twin.campaignId } },
    listCampaignEnrollmentsByKey: { query: 'status=active' },
    getCampaignEnrollmentByKey: { path: { enrollmentId: team.spareEnrollmentId } },
    pauseCampaignEnrollmentByKey: { path: { enrollmentId: team.spareEnrollmentId } },
    resumeCampaignEnrollmentByKey: { path: { enrollmentId: team.spareEnrollmentId } },
    exitCampaignEnrollmentByKey: { path: { enrollmentId: team.spareEnrollmentId } },
    getEnrollmentByKey: { path: { enrollmentId: team.activeEnrollmentId } },
    pauseEnrollmentByKey: { path: { enrollmentId: team.activeEnrollmentId } },
    resumeEnrollmentByKey: { path: { enrollmentId: team.activeEnrollmentId } },
    listTeams: { query: 'limit=1' },
    createTeam: { body: { name: 'Team', timezone: 'Europe/Berlin', allowedCountries: ['US'] } },
    getTeam: {},
    updateTeam: { body: { numberDailyLimit: 1000, defaultCountry: 'US', callRetentionDays: 'platform' } },
    pauseTeam: {},
    resumeTeam: {},
    getPlatform: {},
    listAudit: { query: 'limit=1' },
    updatePlatform: { body: { callRetentionDays: 90, eventRetentionDays: null } },
    pausePlatform: {},
    getRestore: {},
    listApiKeys: { query: 'limit=1' },
    createApiKey: { body: { name: 'Key' } },
    getApiKey: { path: { id: team.spareKeyId } },
    revokeApiKey: { path: { id: team.spareKeyId } },
    listPhoneNumbers: {},
    createPhoneNumber: { body: { phoneNumber: '+14155550998', active: false } },
    getPhoneNumber: { path: { id: team.phoneNumberId } },
    updatePhoneNumber: { path: { id: team.phoneNumberId }, body: { outboundEnabled: true } },
    listNumberPools: {},
    createNumberPool: { body: { name: 'Pool', phoneNumbers: [numbers.used] } },
    getNumberPool: { path: { id: team.poolId } },
    updateNumberPool: { path: { id: team.poolId }, body: { name: 'Renamed' } },
    listCarrierAccounts: {},
    createCarrierAccount: { body: carrierAccount },
    getCarrierAccount: { path: { id: team.carrierAccountId } },
    updateCarrierAccount: { path: { id: team.carrierAccountId }, body: rotation },
    checkCarrierAccount: { path: { id: team.carrierAccountId } },
    deleteCarrierAccount: { path: { id: team.spareCarrierAccountId } },
    listVoiceAgents: {},
    createVoiceAgent: {
      body: {
        ...agent,
        callingHours: { monday: [{ start: '09:00', end: '17:00' }] },
        closedDates: ['2026-12-25'],
        outboundPhoneNumber: numbers.used,
        carrier: 'simulator',
        carrierSettings: { line: 7 },
      },
    },
    getVoiceAgent: { path: { id: team.agentId } },
    updateVoiceAgent: { path: { id: team.agentId }, body: { numberPoolId: team.poolId } },
    deleteVoiceAgent: { path: { id: team.spareAgentId } },
    listDoNotCall: {},
    addToDoNotCall: { body: { phoneNumbers: ['+14155550997'], reason: 'asked' } },
    getDoNotCall: { path: { phoneNumber: numbers.doNotCall } },
    doNotCallHistory: { query: 'phoneNumber=%2B14155550997' },
    listLimitedDoNotCall: {},
    listPlatformDoNotCall: { query: 'limit=1' },
    addToPlatformDoNotCall: { body: { phoneNumbers: ['+14155550987'], reason: 'asked' } },
    platformDoNotCallHistory: { query: 'phoneNumber=%2B14155550987' },
    getPlatformDoNotCall: { path: { phoneNumber: numbers.platform } },
    removeFromPlatformDoNotCall: { path: { phoneNumber: numbers.platform } },
    removeFromDoNotCall: { path: { phoneNumber: numbers.doNotCall } },
    listConsents: { query: 'limit=1' },
    recordConsent: {
      body: {
        phoneNumber: '+14155550997',
        level: 'express',
        voice: 'ai',
        source: 'planted form',
        evidence: 'planted evidence',
        grantedAt: '2026-11-20T14:00:00+01:00',
        expiresAt: '2099-01-01T00:00:00Z',
      },
    },
    revokeConsent: { path: { id: team.spareConsentId }, body: {} },
    listWhitelist: {},
    addToWhitelist: { body: { phoneNumbers: ['+14155550997'] } },
    getWhitelist: { path: { phoneNumber: numbers.whitelisted } },
    removeFromWhitelist: { path: { phoneNumber: numbers.whitelisted } },
    listCampaigns: {},
    createCampaign: { body: { name: 'Campaign', status: 'draft' } },
    getCampaign: { path: { id: campaignId } },
    updateCampaign: {
      path: { id: campaignId },
      body: { name: 'Renamed', pacing: { callsPerMinute: 60 }, reentry: { minInterval: 'P30D' } },
    },
    archiveCampaign: { path: { id: campaignId } },
    getCampaignStats: { path: { id: campaignId } },
    getCampaignResults: { path: { id: campaignId }, query: 'endReason=manual' },
    listCampaignVersions: {},
    createCampaignVersion: {
      path: { campaignId: team.draftlessCampaignId },
      body: {
        definition: { note: 'x', steps: [{ key: 'first', agentId: team.agentId, retry: { busy: ['P1D'] } }] },
      },
    },
    getCampaignVersion: { path: draft },
    updateCampaignVersion: { path: draft, body: { definition: {} } },
    publishCampaignVersion: { path: draft },
    migrateCampaignVersion: { path: draft, body: { fromVersionId: team.publishedVersionId } },
    forecastCampaignVersion: { path: draft, body: forecast },
    listCampaignEnrollments: { query: 'status=active' },
    getEnrollment: { path: { enrollmentId: team.activeEnrollmentId } },
    pauseEnrollment: { path: { enrollmentId: team.activeEnrollmentId } },
    resumeEnrollment: { path: { enrollmentId: team.pausedEnrollmentId } },
    exitEnrollmentByKey: { path: { enrollmentId: team.activeEnrollmentId } },
    exitEnrollment: { path: { enrollmentId: team.pausedEnrollmentId } },
    listCalls: { query: 'status=completed' },
    getTeamCall: { path: { id: team.completedCallId } },
    cancelCalls: { body: { status: 'scheduled', dryRun: true } },
    cancelTeamCall: { path: { id: team.scheduledCallId } },
    hangUpTeamCall: { path: { id: team.otherSimulatedCallId } },
    stopOwnTeam: {},
    resumeOwnTeam: {},
    stopTeam: {},
    stopPlatform: {},
    resumePlatform: { query: 'force=true' },
    resolveCall: { path: { id: team.unknownCallId }, body: { outcome: 'completed' } },
    reportSimulatorEvent: {
      body: {
        callRequestId: team.completedCallId,
        carrierCallId: null,
        status: 'completed',
        at: '2026-11-20T14:00:00Z',
      },
    },
    reportHttpCarrierEvent: {
      body: {
        callRequestId: team.completedCallId,
        carrierCallId: 'line-7',
        status: 'completed',
        at: '2026-11-20T14:00:33Z',
        answeredAt: '2026-11-20T14:00:03Z',
        durationSeconds: 30,
      },
    },
    reportTwilioStatus: {
      path: { callRequestId: team.talkingCallId },
      body: { ...TWILIO_CALL, CallStatus: 'in-progress' },
    },
    reportTwilioVerdict: {
      path: { callRequestId: team.talkingCallId },
      body: { ...TWILIO_CALL, AnsweredBy: 'human' },
    },
    getTwiml: { path: { callRequestId: team.talkingCallId }, body: TWILIO_CALL },
    reportLiveKitWebhook: {
      body: {
        event: 'participant_joined',
        room: { sid: 'RM_1', name: `call-${team.completedCallId}-0` },
        participant: {
          identity: `phone-${team.completedCallId}`,
          attributes: { 'sip.callStatus': 'dialing' },
        },
        id: 'EV_1',
        createdAt: '1795183439',
      },
    },
    reportRetellCall: { body: retellReport },
    reportRetellCallOfAccount: {
      path: { accountId: team.carrierAccountId },
      body: retellReport,
    },
    reportVapiCall: { body: vapiReport },
    reportVapiCallOfAccount: { path: { accountId: team.vapiAccountId }, body: vapiReport },
    reportElevenLabsCall: { body: elevenLabsReport },
    reportElevenLabsCallOfAccount: {
      path: { accountId: team.elevenLabsAccountId },
      body: elevenLabsReport,
    },
    exportContact: {},
    eraseContact: { path: { contactId: team.looseContactId } },
    eraseContactOfTeam: {},
    listPlatformErasures: {},
    isLive: {},
    isReady: {},
    getMetrics: {},
    getDocsPage: {},
    getOpenApiDocument: {},
  };
}

/** The address of a request: parameters that it does not name are the planted team's own. */
export function pathOf(
  template: string,
  team: PlantedTeam,
  { path = {}, query }: Pick<Valid, 'path' | 'query'>,
): string {
  const own: Record<string, string> = {
    teamId: team.teamId,
    agentId: team.agentId,
    contactId: team.contactId,
    externalId: team.externalId,
    campaignId: team.campaignId,
    importId: team.importId,
    ...path,
  };
  const address = template.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(own[name] ?? 'none'));
  return query === undefined ? address : `${address}?${query}`;
}
