import { ApiKey } from './api-key.entity.js';
import { PlanUsage } from './plan-usage.entity.js';
import { Team } from './team.entity.js';

/** The tables of this folder, for the data source that the root composes. */
export const TEAM_ENTITIES = [ApiKey, PlanUsage, Team];
