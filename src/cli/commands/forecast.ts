import { type CampaignResource } from '../../campaigns/admin/campaign.dto.js';
import { type ForecastResource } from '../../campaigns/forecast/forecast.dto.js';
import { AppError } from '../../http/app-error.js';
import { type Command } from '../command.js';
import { fieldOptions } from '../field-options.js';

export const FORECAST_COMMAND: Command = {
  name: 'campaign forecast',
  summary: 'Play a version of a campaign with simulated time, without placing calls',
  operations: ['getCampaign', 'forecastCampaignVersion'],
  args: ['campaign'],
  team: true,
  fields: fieldOptions('forecastCampaignVersion', { without: ['teamId', 'campaignId', 'versionId'] }),
  options: {
    version: {
      value: '<version>',
      help: 'the version to play: current, draft or an id; current unless given',
    },
  },
  run: async ({ send, arg, campaignNamed, option, fields }) => {
    const campaignId = await campaignNamed(arg('campaign'));
    const { currentVersionId, draftVersionId } = await send<CampaignResource>('getCampaign', {
      id: campaignId,
    });
    const version = option('version') ?? 'current';
    if (version === 'draft' && draftVersionId === null)
      throw new AppError('CONFLICT', 'The campaign has no draft: write one with `campaign draft`');
    const versionId = { current: currentVersionId, draft: draftVersionId ?? version }[version] ?? version;
    const value = await send<ForecastResource>('forecastCampaignVersion', {
      campaignId,
      versionId,
      ...fields(),
    });
    return { kind: 'record', value, shown: { ...value, dialsByHour: hoursText(value) } };
  },
};

function hoursText({ dialsByHour }: ForecastResource): string {
  return dialsByHour
    .map(({ hour, dials, skipped }) => {
      const refused = Object.entries(skipped).map(([rule, n]) => `${rule} ${n}`);
      return [`${hour}  ${String(dials).padStart(6)}`, ...refused].join('  ');
    })
    .join('\n');
}
