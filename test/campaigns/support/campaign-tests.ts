import { type Configuration } from '../../../src/configuration.js';
import { type Row } from '../../support/builders.js';
import { buildCaller } from '../../support/call-builders.js';
import { Calling } from '../../support/calling.js';
import { type IdleWorker } from '../../support/idle-worker.js';
import { moveClock } from '../../support/clock.js';
import { PlayedCampaign } from './played-campaign.js';
import { miscounted } from './recount.js';

interface CampaignTests {
  configuration?: Partial<Configuration>;
  /** Whether the counts of all campaigns are compared with a recount after the tests. */
  recounted?: boolean;
}

/**
 * An API and an idle worker for the tests of a file. Each test begins without rules of the simulator, at the
 * real time.
 */
export function useCampaigns({ configuration, recounted = false }: CampaignTests = {}): {
  calling: Calling;
  worker: IdleWorker;
} {
  if (recounted) afterAll(async () => expect(await miscounted(calling.db)).toEqual([]));
  const calling = Calling.ofFile(configuration);
  const worker = calling.idleWorkerOfFile();
  beforeEach(async () => {
    calling.setRules();
    await moveClock(calling.db, '0 seconds');
  });
  return { calling, worker };
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
