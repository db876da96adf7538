import { type NestExpressApplication } from '@nestjs/platform-express';
import { buildCall, buildContact, type Row } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { type World } from '../support/app.js';
import { type PlantedTeam } from './planted-team.js';
import { UNKNOWN_ID, type Prober } from './prober.js';

/** What the tests of the document's truth share; a team is planted for each of them. */
export interface Stage {
  app: NestExpressApplication;
  world: World;
  prober: Prober;
  team: PlantedTeam;
  /** Every reason that an answer has given. */
  reasons: Set<unknown>;
}

/** The tests that ask the call endpoint for each of its reasons. */
export function describeCallReasons(stage: () => Stage): void {
  describe('every reason of the call endpoint', () => {
    const trigger = async (over: Row, body: object, status: number, agentRow: Row = {}) => {
      const caller = await buildCaller(stage().world.db, over, agentRow);
      return refusedBy({ ...stage().team, ...caller }, body, status);
    };
    const refusedBy = async (by: PlantedTeam, body: object, status: number) => {
      const answer = await stage().prober.ask(stage().prober.named('triggerCall'), by, { body });
      expect([answer.status, answer.body]).toEqual([
        status,
        expect.objectContaining({ reason: expect.any(String) as string }),
      ]);
      stage().reasons.add(answer.body.reason);
    };
    const phoneNumber = '+14155552671';

    test('of what is asked for', async () => {
      await trigger({}, { phoneNumber, fromPhoneNumber: '+14155550000' }, 400);
      await trigger({}, { phoneNumber, numberPoolId: 'none' }, 400);
      await trigger({}, { phoneNumber }, 400, { outbound_phone_number: null });
      await trigger({}, { phoneNumber }, 400, { timezone: 'BST' });
      await trigger({ allowed_countries: ['DE'] }, { phoneNumber }, 400);
      await trigger({ whitelist_only: true }, { phoneNumber }, 400);
      await refusedBy({ ...stage().team, agentId: UNKNOWN_ID }, { phoneNumber }, 500);
    });

    test('of limits', async () => {
      for (const limit of ['monthly_call', 'number_daily', 'number_weekly', 'number_monthly']) {
        await trigger({ [`${limit}_limit`]: 0 }, { phoneNumber }, 429);
      }
    });

    test('of the number', async () => {
      const { world, team } = stage();
      await refusedBy(team, { phoneNumber: team.numbers.doNotCall }, 500);
      await refusedBy(team, { phoneNumber: team.numbers.contact }, 500);
      const { id, phone_number } = await buildContact(world.db, team.teamId);
      const now = new Date();
      await buildCall(
        world.db,
        { team_id: team.teamId, agent_id: team.agentId, contact_id: id, phone_number },
        {
          status: 'completed',
          claimed_at: now,
          processed_at: now,
          caller_id: team.numbers.used,
          ended_at: now,
        },
      );
      await refusedBy(team, { phoneNumber: phone_number }, 500);
    });
  });
}
