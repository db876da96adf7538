import { CampaignVersion } from './campaign-version.entity.js';
import { CampaignCountChange } from './campaign-count-change.entity.js';
import { CampaignCount } from './campaign-count.entity.js';
import { Campaign } from './campaign.entity.js';
import { EnrollmentDial } from './enrollment-dial.entity.js';
import { Enrollment } from './enrollment.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const CAMPAIGN_ENTITIES = [
  CampaignVersion,
  Campaign,
  Enrollment,
  EnrollmentDial,
  CampaignCount,
  CampaignCountChange,
];
