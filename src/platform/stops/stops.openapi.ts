import { COUNT_SCHEMA, described, FLAG_SCHEMA, objectOf } from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { documented } from '../../http/openapi/operation.js';
import { type Stop } from './stop.dto.js';
import { StopsAdminController } from './stops-admin.controller.js';
import { StopsController } from './stops.controller.js';

const STOP = objectOf<Stop>('Stop', {
  paused: described(FLAG_SCHEMA, 'Always true: no call is dialed until the pause is ended.'),
  hungUp: described(COUNT_SCHEMA, 'The number of calls that their carriers end.'),
  cannotHangUp: described(COUNT_SCHEMA, 'The number of calls whose carriers cannot hang up.'),
  remaining: described(
    COUNT_SCHEMA,
    'The number of calls that may go on: they are still being dialed, or their carriers did not confirm the hang-up within 15 seconds. Repeat the request if it is above 0.',
  ),
});

const STOPPED = { description: 'Dialing is paused, and calls in progress are hung up.', schema: STOP };

export const STOPS_OPENAPI = documented(
  StopsController,
  { surface: 'team', tag: 'Calls' },
  {
    stop: {
      id: 'stopOwnTeam',
      summary: 'Pause the team, and hang up its calls in progress',
      description:
        'While the team is paused, requests are accepted and no call is dialed, also by campaigns.',
      success: STOPPED,
    },
    resume: {
      id: 'resumeOwnTeam',
      summary: 'Resume dialing for the team after a stop with a key',
      success: {
        description: 'Dialing is resumed.',
        schema: objectOf<{ paused: boolean }>('TeamPause', {
          paused: described(FLAG_SCHEMA, 'Whether dialing is stopped for the team.'),
        }),
      },
      refusals: {
        409: errorDoc(
          'The operator has paused the team.',
          'The operator has paused the team, and can resume it',
        ),
      },
    },
  },
);

export const STOPS_ADMIN_OPENAPI = documented(
  StopsAdminController,
  { surface: 'operator', tag: 'Operator: teams' },
  {
    stopPlatform: {
      id: 'stopPlatform',
      summary: 'Stop dialing for all teams, and hang up all calls in progress',
      description: 'Requests are still accepted. `POST /api/admin/resume` resumes dialing.',
      success: STOPPED,
    },
    stopTeam: {
      id: 'stopTeam',
      summary: 'Stop dialing for the team, and hang up its calls in progress',
      description: 'Requests are still accepted. `POST /api/admin/teams/{teamId}/resume` resumes dialing.',
      success: STOPPED,
    },
  },
);
