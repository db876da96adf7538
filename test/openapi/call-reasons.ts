import { type NestExpressApplication } from '@nestjs/platform-express';
import { RULE_KINDS, type RuleKind } from '../../src/domain/compliance/pack.js';
import { addRegister, type RunSql } from '../../tools/bench/register-version.js';
import { buildCall, buildContact, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildProcessedCall } from '../support/number-history.js';
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

    test('of the law', async () => {
      const { db } = stage().world;
      // Only this kind of rule is enforced.
      const lawful = async (
        kind: RuleKind,
        setting: Row,
        status: number,
        before: (caller: Caller, number: string) => Promise<unknown> = () => Promise.resolve(),
        number = nextNumber(),
      ) => {
        const others = RULE_KINDS.filter((one) => one !== kind);
        const kinds = Object.fromEntries(others.map((one) => [one, 'off']));
        const base = { mode: 'enforce', purpose: 'marketing', voice: 'ai', kinds };
        const caller = await buildCaller(db, { compliance: JSON.stringify({ ...base, ...setting }) });
        await before(caller, number);
        await refusedBy({ ...stage().team, ...caller }, { phoneNumber: number }, status);
      };
      const inState = (state: string) => (caller: Caller, number: string) =>
        buildContact(db, caller.teamId, { phone_number: number, custom_properties: { state } });
      const debt = { purpose: 'debt' };
      const byState = { regionProperty: 'state' };
      await lawful('frequencyCap', debt, 429, async (caller, number) => {
        for (let n = 1; n <= 7; n += 1)
          await buildProcessedCall(db, caller, number, `${13 + n} hours`, { status: 'no_answer' });
      });
      await lawful('coolOff', debt, 429, (caller, number) =>
        buildProcessedCall(db, caller, number, '14 hours'),
      );
      await lawful('consentRequired', {}, 400);
      await lawful('prohibition', byState, 400, inState('US-WY'));
      await lawful('suspension', byState, 400, inState('US-LA'));
      await lawful('registerScrub', {}, 400);
      await lawful('registerScrub', {}, 400, (_, number) => register(db, number));
      await lawful('callingHours', {}, 400, undefined, '+80012345678');
    });
  });
}

/** The register that the pack of the United States names, with this number alone. */
function register(db: World['db'], number: string): Promise<void> {
  const run: RunSql = (sql, values) => db.query(sql, values);
  return addRegister(run, 'us-ftc-dnc', `SELECT ${number.slice(1)}::bigint`);
}
