import { CampaignsService } from '../../campaigns/admin/campaigns.service.js';
import { ForecastRequest, type ForecastResource } from '../../campaigns/forecast/forecast.dto.js';
import { ForecastService } from '../../campaigns/forecast/forecast.service.js';
import { AppError } from '../../http/app-error.js';
import { type Command, type FieldsOf } from '../command.js';
import { json, list, text, wholeNumber } from '../field-kinds.js';

const FIELDS: FieldsOf<ForecastRequest> = {
  from: text('<time>', 'the start of the simulated time, such as 2027-03-22T09:00:00Z', { required: true }),
  until: text('<time>', 'the end of the simulated time, at most 366 days after the start', {
    required: true,
  }),
  concurrency: wholeNumber('the most calls that are active at a time', { required: true }),
  assume: json(
    'the chances of the outcomes and the length of a call, such as {"completed": 0.4, "no_answer": 0.5, "seconds": 90}',
    {
      required: true,
    },
  ),
  seed: wholeNumber('the same seed draws the same outcomes', { required: true }),
  contacts: wholeNumber('the number of made-up contacts, which replace the live enrollments'),
  zones: list('<zones>', 'time zones of the made-up contacts, such as Europe/Berlin,Asia/Tokyo'),
};

export const FORECAST_COMMAND: Command = {
  name: 'campaign forecast',
  summary: 'Play a version of a campaign with simulated time, without placing calls',
  args: ['campaign'],
  team: true,
  fields: FIELDS,
  options: {
    version: {
      value: '<version>',
      help: 'the version to play: current, draft or an id; current unless given',
    },
  },
  run: async ({ service, teamId, arg, campaignNamed, option, body }) => {
    const request = body(ForecastRequest);
    const id = await campaignNamed(arg('campaign'));
    const { currentVersionId, draftVersionId } = await service(CampaignsService).get(teamId, id);
    const version = option('version') ?? 'current';
    if (version === 'draft' && draftVersionId === null)
      throw new AppError('CONFLICT', 'The campaign has no draft: write one with `campaign draft`');
    const named = { current: currentVersionId, draft: draftVersionId ?? version }[version] ?? version;
    const ids = { teamId, campaignId: id, versionId: named };
    const value = await service(ForecastService).of(ids, request, new AbortController().signal);
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
