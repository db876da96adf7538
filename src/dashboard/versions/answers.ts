import { type CampaignVersionsService } from '../../campaigns/admin/campaign-versions.service.js';
import { type CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { type VoiceAgentsService } from '../../voice-agents/voice-agents.service.js';

/* What the services answer, for the views. */

export type Campaign = Awaited<ReturnType<CampaignsService['get']>>;
export type Version = Awaited<ReturnType<CampaignVersionsService['get']>>;
export type Warnings = Awaited<ReturnType<CampaignVersionsService['check']>>['warnings'];
export type Agents = Awaited<ReturnType<VoiceAgentsService['list']>>['items'];
