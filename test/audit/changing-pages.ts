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
  /** Whether the row is the platform's. */
  ofPlatform?: true;
}

/** A form for every route of pages that changes something, in an order in which none spoils another. */
export function validForms(team: PlantedTeam): SentForm[] {
  const { twin } = team;
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
    post('t/{teamId}/campaigns/{campaignId}/enrollments/{enrollmentId}/pause', 'enrollment.paused', {
      path: enrollment(team.activeEnrollmentId),
    }),
    post('t/{teamId}/campaigns/{campaignId}/enrollments/{enrollmentId}/resume', 'enrollment.resumed', {
      path: enrollment(team.activeEnrollmentId),
    }),
    post('t/{teamId}/campaigns/{campaignId}/enrollments/{enrollmentId}/exit', 'enrollment.exited', {
      path: enrollment(team.activeEnrollmentId),
    }),
    post('t/{teamId}/campaigns/{campaignId}/pause', 'campaign.paused', { path: ofCampaign }),
    post('t/{teamId}/campaigns/{campaignId}/resume', 'campaign.activated', { path: ofCampaign }),
    post('t/{teamId}/campaigns/{campaignId}/versions/{versionId}/migrate', 'campaign_version.migrated', {
      path: { ...ofCampaign, versionId: twin.draftVersionId },
      fields: { from: twin.publishedVersionId },
    }),
    post('t/{teamId}/campaigns/{campaignId}/archive', 'campaign.archived', { path: ofCampaign }),
    post('t/{teamId}/do-not-call', 'do_not_call.added', {
      fields: { phoneNumbers: '+14155550123', reason: 'planted secret reason' },
    }),
    post('t/{teamId}/do-not-call/remove', 'do_not_call.removed', { fields: { phoneNumber: '+14155550123' } }),
    post('t/{teamId}/contacts/{contactId}/erase', 'contact.erased', {
      path: { contactId: team.looseContactId },
    }),
    post('t/{teamId}/stop', 'team.stopped'),
    post('platform/pause', 'platform.paused', { ofPlatform: true }),
    post('platform/resume', 'platform.resumed', { ofPlatform: true }),
    post('platform/stop', 'platform.stopped', { ofPlatform: true }),
  ];
}
