import { type Configuration } from '../../../src/configuration.js';
import { type Row } from '../../support/builders.js';
import { buildCaller } from '../../support/call-builders.js';
import { Calling, type IdleWorker } from '../../support/calling.js';
import { moveClock } from '../../support/clock.js';
import { PlayedCampaign } from './played-campaign.js';
import { miscounted } from './recount.js';

interface CampaignTests {
  configuration?: Partial<Configuration>;
  /** Whether the counts of all campaigns are compared with a recount after the tests. */
  recounted?: boolean;
}

/**
 * Starts an API and an idle worker for the tests of a file. Each test begins without rules of the simulator, at the real time.
 *
 * @param begin takes the API and the worker before the first test.
 */
export function useCampaigns(
  begin: (calling: Calling, worker: IdleWorker) => unknown,
  { configuration, recounted = false }: CampaignTests = {},
): void {
  let calling: Calling;
  beforeAll(async () => {
    calling = await Calling.start(configuration);
    begin(calling, await calling.startIdleWorker());
  });
  afterAll(async () => {
    const wrong = recounted ? await miscounted(calling.db) : [];
    await calling.close();
    expect(wrong).toEqual([]);
  });
  beforeEach(async () => {
    calling.setRules();
    await moveClock(calling.db, '0 seconds');
  });
}

/** A campaign of a new team; `rows` are columns that differ from the builders'. */
export async function startCampaign(
  calling: Calling,
  definition: object,
  rows: { team?: Row; agent?: Row; campaign?: Row } = {},
) {
  const caller = await buildCaller(calling.db, rows.team, rows.agent);
  const campaign = await PlayedCampaign.build(calling, caller, definition as Row, rows.campaign);
  return { caller, campaign };
}
