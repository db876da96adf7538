import { CampaignVersion } from './definition/campaign-version.entity.js';
import { CampaignCountChange } from './definition/campaign-count-change.entity.js';
import { CampaignCount } from './definition/campaign-count.entity.js';
import { Campaign } from './definition/campaign.entity.js';
import { EnrollmentDial } from './enrollment/enrollment-dial.entity.js';
import { Enrollment } from './enrollment/enrollment.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const CAMPAIGN_ENTITIES = [
  CampaignVersion,
  Campaign,
  Enrollment,
  EnrollmentDial,
  CampaignCount,
  CampaignCountChange,
];
