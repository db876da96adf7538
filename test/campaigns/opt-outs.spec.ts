import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, PlayedCampaign } from './support/played-campaign.js';

/*
 * What a result that opts out does to enrollments. The simulator's dial log is the witness.
 */

const { calling, worker } = useCampaigns();

const ON = [{ disposition: 'interested', goal: true }];
const first = { key: 'first', on: ON };
const steps = [first, { key: 'second', after: 'PT13H' }];

/** An enrollment whose first call is completed, at the clock's beginning. */
async function called(definition: Record<string, unknown> = { steps }) {
  const { caller, campaign } = await startCampaign(calling, definition);
  const enrolled = await campaign.enroll();
  await campaign.played(worker.app, 0);
  expect(await campaign.row(enrolled.id)).toMatchObject({ status: 'active', waiting_for: 'result' });
  return { caller, campaign, ...enrolled };
}

describe('an opt-out is always applied', () => {
  test('and ends every live enrollment of the number in the transaction of the answer', async () => {
    const { caller, campaign, id, to, contactId } = await called();
    const other = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first', after: 'P1D' }] });
    const body = { contactId, campaignId: other.id };
    const answer = await calling
      .http()
      .post('/api/campaigns/enrollments')
      .set({ Authorization: `Bearer ${caller.apiKey}` })
      .send(body);
    const second = (answer.body as { enrollmentId: string }).enrollmentId;
    expect((await campaign.report(id, { disposition: 'interested', optOut: true })).status).toBe(200);
    for (const one of [id, second]) {
      expect(await campaign.row(one)).toMatchObject({
        status: 'exited',
        end_reason: 'suppressed',
        look_at: null,
      });
    }
    const { timeline } = await campaign.row(id);
    expect(timeline.slice(-2).map(({ kind }) => kind)).toEqual(['result', 'ended']);
    await campaign.played(worker.app, 30 * HOUR);
    expect(calling.dials(to)).toHaveLength(1);
  });

  test.each([
    ['late', 2 * HOUR],
    ['after the enrollment has ended', 40 * HOUR],
  ])('%s', async (_, offset) => {
    const on = [ON[0], { outcome: 'completed', next: 'second' }];
    const { caller, campaign, id, to } = await called({ steps: [{ ...first, on }, steps[1]] });
    await campaign.played(worker.app, HOUR);
    await campaign.played(worker.app, offset);
    const [call = ''] = await campaign.calls(id);
    expect((await calling.report(caller, call, { optOut: true })).status).toBe(200);
    const entry = await calling.operator(
      'get',
      `/teams/${caller.teamId}/do-not-call/${encodeURIComponent(to)}`,
    );
    expect(entry.body).toMatchObject({ reason: `Opted out in call ${call}` });
    const live = ['active', 'paused'];
    expect(live).not.toContain((await campaign.row(id)).status);
  });
});
