import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { addressOf } from '../../src/http/openapi/routes.js';
import { type PlantedTeam } from '../openapi/planted-team.js';

/** Every route of the application that changes something, as `post /path/{parameter}`, by Nest's metadata. */
export function changingRoutes(app: NestExpressApplication): string[] {
  const routes: string[] = [];
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      if (typeof metatype !== 'function') continue;
      const prototype = metatype.prototype as Record<string, object>;
      const bases = [Reflect.getMetadata(PATH_METADATA, metatype) as string | string[]].flat();
      for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
        const handler = prototype[name];
        const kind = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (!handler || kind === undefined || kind === RequestMethod.GET) continue;
        const path = Reflect.getMetadata(PATH_METADATA, handler) as string;
        for (const base of bases)
          routes.push(`${RequestMethod[kind]?.toLowerCase()} ${addressOf(base, path)}`);
      }
    }
  }
  return [...new Set(routes)].sort();
}

/** A form of a page: its address, fields, and the action that its row has. */
export interface SentForm {
  route: string;
  path?: Record<string, string>;
  fields?: Record<string, string>;
  action: string;
  /** Whether the row is the platform's, or a new team's. */
  of?: 'platform' | 'new team';
  /** Of the answer; by default, 303. */
  status?: number;
}

/** Users whose roles the forms change. */
export interface PlantedPeople {
  member: string;
  operator: string;
}

/** A form for every route of pages that changes something, in an order in which none spoils another. */
export function validForms(team: PlantedTeam, { member, operator }: PlantedPeople): SentForm[] {
  const { twin } = team;
  const endpoint = { endpointId: team.webhookEndpointId };
  const ofCampaign = { campaignId: twin.campaignId };
  const enrollment = (enrollmentId: string) => ({ campaignId: team.campaignId, enrollmentId });
  const post = (path: string, action: string, rest: Omit<SentForm, 'route' | 'action'> = {}): SentForm => ({
    route: `post /${path}`,
    action,
    ...rest,
  });
  return [
    post('t/{teamId}/pause', 'team.paused'),
    post('t/{teamId}/resume', 'team.resumed'),
    post('t/{teamId}/calls/{id}/cancel', 'call.canceled', { path: { id: team.pendingCallId } }),
    post('t/{teamId}/calls/cancel', 'call.canceled', { fields: { status: 'scheduled' } }),
    post('t/{teamId}/calls/{id}/hang-up', 'call.hung_up', { path: { id: team.simulatedCallId } }),
    post('t/{teamId}/calls/{id}/resolve', 'call.resolved', {
      path: { id: team.unknownCallId },
      fields: { outcome: 'no_answer' },
    }),
    post('t/{teamId}/calls/{id}/result', 'call.result_reported', {
      path: { id: team.unknownCallId },
      fields: { disposition: 'planted secret reason' },
    }),
    post('t/{teamId}/campaigns/{campaignId}/enrollments/{enrollmentId}/pause', 'enrollment.paused', {
      path: enrollment(team.activeEnrollmentId),
    }),
    post('t/{teamId}/campaigns/{campaignId}/enrollments/{enrollmentId}/resume', 'enrollment.resumed', {
      path: enrollment(team.activeEnrollmentId),
    }),
    post('t/{teamId}/campaigns/{campaignId}/enrollments/{enrollmentId}/exit', 'enrollment.exited', {
      path: enrollment(team.activeEnrollmentId),
    }),
    post('t/{teamId}/campaigns/new', 'campaign.created', { fields: { name: 'By a form', status: 'draft' } }),
    post('t/{teamId}/campaigns/{campaignId}/edit', 'campaign.changed', {
      path: ofCampaign,
      fields: { name: 'Named by a form', 'pacing.weight': '3' },
    }),
    post('t/{teamId}/campaigns/{campaignId}/versions/{versionId}', 'campaign_version.changed', {
      path: { ...ofCampaign, versionId: twin.draftVersionId },
      fields: { note: 'planted secret note', do: 'save' },
    }),
    post('t/{teamId}/campaigns/{campaignId}/pause', 'campaign.paused', { path: ofCampaign }),
    post('t/{teamId}/campaigns/{campaignId}/resume', 'campaign.activated', { path: ofCampaign }),
    post('t/{teamId}/campaigns/{campaignId}/enroll', 'campaign.contacts_enrolled', {
      path: ofCampaign,
      fields: { contacts: team.looseContactId },
      status: 200,
    }),
    post('t/{teamId}/campaigns/{campaignId}/versions/{versionId}/migrate', 'campaign_version.migrated', {
      path: { ...ofCampaign, versionId: twin.draftVersionId },
      fields: { from: twin.publishedVersionId },
    }),
    post('t/{teamId}/campaigns/{campaignId}/versions/{versionId}/publish', 'campaign_version.published', {
      path: { ...ofCampaign, versionId: twin.draftVersionId },
    }),
    post('t/{teamId}/campaigns/{campaignId}/versions/new', 'campaign_version.created', {
      path: ofCampaign,
      fields: { note: 'planted secret note', do: 'save' },
    }),
    post('t/{teamId}/campaigns/{campaignId}/archive', 'campaign.archived', { path: ofCampaign }),
    post('t/{teamId}/do-not-call', 'do_not_call.added', {
      fields: { phoneNumbers: '+14155550123', reason: 'planted secret reason' },
    }),
    post('t/{teamId}/do-not-call/remove', 'do_not_call.removed', { fields: { phoneNumber: '+14155550123' } }),
    post('t/{teamId}/whitelist', 'whitelist.added', { fields: { phoneNumbers: '+14155550134' } }),
    post('t/{teamId}/whitelist/remove', 'whitelist.removed', { fields: { phoneNumber: '+14155550134' } }),
    post('platform/do-not-call', 'platform_do_not_call.added', {
      fields: { phoneNumbers: '+14155550133', reason: 'planted secret reason' },
      of: 'platform',
    }),
    post('platform/do-not-call/remove', 'platform_do_not_call.removed', {
      fields: { phoneNumber: '+14155550133' },
      of: 'platform',
    }),
    post('t/{teamId}/imports/{importId}/preview', 'import.started', {
      path: { importId: team.heldImportId },
      fields: { act: 'start' },
    }),
    post('t/{teamId}/imports/{importId}/cancel', 'import.canceled', { path: { importId: team.importId } }),
    post('t/{teamId}/imports/{importId}/undo', 'import.undoing', { path: { importId: team.endedImportId } }),
    post('t/{teamId}/webhooks', 'webhook_endpoint.created', {
      fields: { url: 'https://example.com/of-a-form', which: 'all' },
      status: 200,
    }),
    post('t/{teamId}/webhooks/{endpointId}', 'webhook_endpoint.changed', {
      path: endpoint,
      fields: { url: 'https://example.com/changed', which: 'all' },
    }),
    post('t/{teamId}/webhooks/{endpointId}/test', 'webhook_endpoint.tested', { path: endpoint }),
    post('t/{teamId}/webhooks/{endpointId}/deliveries/{id}/retry', 'webhook_delivery.retried', {
      path: { ...endpoint, id: team.webhookDeliveryId },
    }),
    post('t/{teamId}/webhooks/{endpointId}/replay', 'webhook_endpoint.replayed', {
      path: endpoint,
      fields: { after: '0' },
    }),
    post('t/{teamId}/webhooks/{endpointId}/disable', 'webhook_endpoint.disabled', { path: endpoint }),
    post('t/{teamId}/webhooks/{endpointId}/enable', 'webhook_endpoint.enabled', { path: endpoint }),
    post('t/{teamId}/webhooks/{endpointId}/rotate', 'webhook_endpoint.secret_rotated', {
      path: endpoint,
      status: 200,
    }),
    post('t/{teamId}/webhooks/{endpointId}/delete', 'webhook_endpoint.removed', { path: endpoint }),
    post('t/{teamId}/consents', 'consent.added', {
      fields: {
        phoneNumber: '+14155550123',
        level: 'express',
        source: 'planted secret reason',
        grantedOn: '2026-11-20',
      },
    }),
    post('t/{teamId}/consents/{id}/revoke', 'consent.revoked', {
      path: { id: team.consentId },
      fields: { reason: 'planted secret reason' },
    }),
    post('t/{teamId}/contacts/new', 'contact.created', {
      fields: { phoneNumber: '+14155550143', name: 'planted secret name', customProperties: 'plan: gold' },
    }),
    post('t/{teamId}/contacts/{contactId}/edit', 'contact.changed', {
      path: { contactId: team.looseContactId },
      fields: { name: 'planted secret name' },
    }),
    // The call itself is told by its events; its key is made and revoked.
    post('t/{teamId}/contacts/{contactId}/call', 'api_key.created', {
      path: { contactId: team.looseContactId },
      fields: { agent: team.agentId },
    }),
    post('t/{teamId}/contacts/{contactId}/erase', 'contact.erased', {
      path: { contactId: team.looseContactId },
    }),
    post('t/{teamId}/getting-started/place', 'team.changed', {
      fields: { defaultCountry: 'CA', reach: 'country', timezone: 'America/Toronto' },
    }),
    post('t/{teamId}/getting-started/number', 'phone_number.created', {
      fields: { phoneNumber: '+14165550123' },
    }),
    post('t/{teamId}/getting-started/agent', 'voice_agent.created', {
      fields: {
        name: 'Reminder',
        firstMessageTemplate: 'Hello',
        promptTemplate: 'Be brief.',
        outboundPhoneNumber: '+14165550123',
        hours: 'any',
      },
    }),
    // The call itself is told by its events; its key is made and revoked.
    post('t/{teamId}/getting-started/call', 'api_key.created', { fields: { phoneNumber: '+14165550124' } }),
    post('t/{teamId}/getting-started/key', 'api_key.created', {
      fields: { name: 'First', phoneNumber: '+14165550125' },
      status: 200,
    }),
    post('t/{teamId}/agents', 'voice_agent.created', {
      fields: { name: 'By a form', timezone: 'UTC', callingHours: 'any' },
    }),
    post('t/{teamId}/agents/{agentId}', 'voice_agent.changed', {
      path: { agentId: team.twin.agentId },
      fields: { name: 'Renamed', timezone: 'UTC', callingHours: 'any' },
    }),
    post('t/{teamId}/agents/{agentId}/test-call', 'api_key.created', {
      path: { agentId: team.agentId },
      fields: { phoneNumber: '+14165550126' },
    }),
    post('t/{teamId}/agents/{agentId}/delete', 'voice_agent.removed', {
      path: { agentId: team.spareAgentId },
    }),
    post('t/{teamId}/numbers', 'phone_number.created', { fields: { phoneNumber: '+14165550127' } }),
    post('t/{teamId}/numbers/pools', 'number_pool.created', {
      fields: { name: 'By a form', phoneNumbers: team.numbers.used },
    }),
    post('t/{teamId}/numbers/pools/{poolId}', 'number_pool.changed', {
      path: { poolId: team.poolId },
      fields: { name: 'Renamed' },
    }),
    post('t/{teamId}/settings/api-keys', 'api_key.created', {
      fields: { name: 'Made by a form', scopes: 'read' },
      status: 200,
    }),
    post('t/{teamId}/settings/api-keys/{keyId}/revoke', 'api_key.revoked', {
      path: { keyId: team.spareKeyId },
    }),
    post('t/{teamId}/settings/carriers/accounts', 'carrier_account.created', {
      fields: { carrier: 'retell', name: 'By a form', 'credentials.apiKey': 'key_of_a_form_0123' },
    }),
    post(
      't/{teamId}/settings/carriers/accounts/{accountId}/credentials',
      'carrier_account.credentials_rotated',
      {
        path: { accountId: team.carrierAccountId },
        fields: { 'credentials.apiKey': 'key_of_a_form_4567' },
      },
    ),
    post('t/{teamId}/settings/carriers/accounts/{accountId}/limits', 'carrier_account.changed', {
      path: { accountId: team.carrierAccountId },
      fields: { maxConcurrent: '5', callsPerSecond: '0.5' },
    }),
    post('t/{teamId}/settings/carriers/accounts/{accountId}/delete', 'carrier_account.removed', {
      path: { accountId: team.spareCarrierAccountId },
    }),
    post('t/{teamId}/settings/team', 'team.changed', { fields: { name: 'Renamed by a form' } }),
    post('t/{teamId}/settings/retention', 'team.changed', { fields: { eventRetentionDays: '31' } }),
    post('t/{teamId}/settings/compliance', 'team.changed', { fields: { mode: 'enforce', voice: 'ai' } }),
    post('t/{teamId}/settings/members', 'invitation.made', {
      fields: { email: 'invited@example.com', role: 'viewer' },
      status: 200,
    }),
    post('t/{teamId}/settings/members/{userId}/role', 'membership.role_changed', {
      path: { userId: member },
      fields: { role: 'manager' },
    }),
    post('t/{teamId}/settings/members/{userId}/remove', 'membership.removed', { path: { userId: member } }),
    post('t/{teamId}/numbers/{numberId}', 'phone_number.changed', {
      path: { numberId: team.phoneNumberId },
      fields: { flags: 'active' },
    }),
    post('t/{teamId}/stop', 'team.stopped'),
    post('platform/teams', 'team.created', {
      fields: { name: 'Made by a form', timezone: 'UTC', defaultCountry: '' },
      of: 'new team',
    }),
    post('platform/operators', 'invitation.made', {
      fields: { email: 'operator@example.com' },
      of: 'platform',
      status: 200,
    }),
    post('platform/operators/{userId}/remove', 'user.changed', {
      path: { userId: operator },
      of: 'platform',
    }),
    post('account/timezone', 'user.changed', { fields: { timezone: 'Europe/Berlin' }, of: 'platform' }),
    post('platform/pause', 'platform.paused', { of: 'platform' }),
    post('platform/resume', 'platform.resumed', { of: 'platform' }),
    post('platform/stop', 'platform.stopped', { of: 'platform' }),
  ];
}
