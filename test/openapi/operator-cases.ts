import { type Stage } from './call-reasons.js';
import { PROBED } from './prober.js';

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;

/** Answers of the operator's routes that need more than one request. */
export function describeOperatorCases(stage: () => Stage): void {
  test('a migration that is only asked for, and one that is under way', async () => {
    const { prober, team } = stage();
    const migrate = prober.named('migrateCampaignVersion');
    expect(await statusOf(prober.ask(migrate, team, { query: 'dryRun=true' }))).toBe(200);
    expect(await statusOf(prober.ask(migrate, team))).toBe(202);
    const { publishedVersionId: versionId, draftVersionId: fromVersionId } = team;
    const back = { path: { versionId }, body: { fromVersionId } };
    expect(await statusOf(prober.ask(migrate, team, back))).toBe(409);
  });

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
}
