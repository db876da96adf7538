import { CarrierAccountsService } from '../../src/carrier-accounts/carrier-accounts.service.js';
import { ForecastService } from '../../src/campaigns/forecast/forecast.service.js';
import { type Secrets } from '../../src/secrets/secrets.js';
import { type Stage } from './call-reasons.js';
import { type Row } from '../support/builders.js';
import { PROBED } from './prober.js';
import { validRequests } from './valid-requests.js';

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** Answers that need more than one request, most of them of the operator's routes. */
export function describeOperatorCases(stage: () => Stage): void {
  test.each(['', 'ByKey'])(
    'a migration that is only asked for, and one that is under way%s',
    async (door) => {
      const { prober, team } = stage();
      const migrate = prober.named(`migrateCampaignVersion${door}`);
      const { publishedVersionId, draftVersionId, campaignId } = team;
      const to = (versionId: string, fromVersionId: string) => ({
        path: { campaignId, versionId },
        body: { fromVersionId },
      });
      const there = to(draftVersionId, publishedVersionId);
      expect(await statusOf(prober.ask(migrate, team, { ...there, query: 'dryRun=true' }))).toBe(200);
      expect(await statusOf(prober.ask(migrate, team, there))).toBe(202);
      const back = to(publishedVersionId, draftVersionId);
      expect(await statusOf(prober.ask(migrate, team, back))).toBe(409);
    },
  );

  test.each(['', 'ByKey'])(
    'a forecast of too many enrollments, and without the key of erased numbers%s',
    async (door) => {
      const { app, prober, team, world } = stage();
      const forecast = prober.named(`forecastCampaignVersion${door}`);
      const valid = validRequests(team)[forecast.operation.operationId]!.body as Row;
      const body = { ...valid, contacts: undefined, zones: undefined };
      const live = { path: { campaignId: team.campaignId, versionId: team.publishedVersionId }, body };
      const { limits } = app.get(ForecastService, { strict: false });
      const { enrollments } = limits;
      limits.enrollments = 0;
      try {
        expect(await statusOf(prober.ask(forecast, team, live))).toBe(422);
      } finally {
        limits.enrollments = enrollments;
      }
      await world.db.query('UPDATE teams SET has_erased_numbers = true WHERE id = $1', [team.teamId]);
      world.config.erasureKey = undefined;
      try {
        expect(await statusOf(prober.ask(forecast, team, live))).toBe(409);
      } finally {
        world.config.erasureKey = PROBED.erasureKey;
      }
    },
  );

  test.each(['', 'ByKey'])(
    'carrier accounts without a key of secrets, in use, and of no carrier%s',
    async (door) => {
      const { app, prober, team, world } = stage();
      const refused = async (id: string) =>
        expect([id, await statusOf(prober.ask(prober.named(`${id}${door}`), team))]).toEqual([id, 409]);
      const service = app.get(CarrierAccountsService, { strict: false });
      const sealing: { secrets: Secrets | null } = service as never;
      const { secrets } = sealing;
      sealing.secrets = null;
      try {
        await refused('createCarrierAccount');
        await refused('updateCarrierAccount');
      } finally {
        sealing.secrets = secrets;
      }
      const { carrierAccountId, agentId } = team;
      await world.db.query('UPDATE voice_agents SET carrier_account_id = $1 WHERE id = $2', [
        carrierAccountId,
        agentId,
      ]);
      const path = { id: carrierAccountId };
      const named = prober.ask(prober.named(`deleteCarrierAccount${door}`), team, { path });
      expect(await statusOf(named)).toBe(409);
      await world.db.query(`UPDATE carrier_accounts SET carrier = 'elsewhere' WHERE team_id = $1`, [
        team.teamId,
      ]);
      await refused('checkCarrierAccount');
    },
  );

  test('an erasure without a key', async () => {
    const { prober, team } = stage();
    stage().world.config.erasureKey = undefined;
    try {
      for (const id of ['eraseContact', 'eraseContactOfTeam'])
        expect(await statusOf(prober.ask(prober.named(id), team))).toBe(409);
    } finally {
      stage().world.config.erasureKey = PROBED.erasureKey;
    }
  });

  test('events, and events that are not kept any more', async () => {
    const { prober, team, world } = stage();
    const feed = prober.named('listEvents');
    await world.db.query('SELECT number_events(10000)');
    const { status, body } = await prober.ask(feed, team, { query: 'limit=200' });
    expect([status, (body.items as object[]).length > 0]).toEqual([200, true]);
    await world.db.query('UPDATE event_sequences SET last = 9, removed_through = 9 WHERE team_id = $1', [
      team.teamId,
    ]);
    expect(await statusOf(prober.ask(feed, team, { query: 'after=1' }))).toBe(410);
  });
}
