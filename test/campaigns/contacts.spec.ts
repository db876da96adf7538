import { nextNumber } from '../support/builders.js';
import { bearer } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, MINUTE, PlayedCampaign } from './support/played-campaign.js';
import { buildCaller } from '../support/call-builders.js';
import { buildProcessedCall, contactIdOf } from '../support/number-history.js';

/* What the storing, the deletion and the erasure of contacts do to their enrollments. */

const { calling, worker } = useCampaigns({
  configuration: { erasureKey: 'k'.repeat(48) },
  recounted: true,
});

const start = (definition: object) => startCampaign(calling, definition);

describe('a contact that is enrolled when it is stored', () => {
  test.each(['/api/contacts', '/api/campaigns/contact-enrollments'])('by %s is called', async (path) => {
    const { caller, campaign } = await start({ steps: [{ key: 'first', after: 'PT1H' }] });
    const phoneNumber = nextNumber();
    await moveClock(calling.db, '1 day');
    const body = { phoneNumber, campaignId: campaign.id };
    const answer = await calling.http().post(path).set(bearer(caller.apiKey)).send(body);
    expect(answer.status).toBeLessThan(300);
    await campaign.played(worker.app, 24 * HOUR + MINUTE);
    const [row] = await calling.db.query<{ created_at: Date; next_attempt_at: Date }[]>(
      'SELECT created_at, next_attempt_at FROM enrollments WHERE campaign_id = $1',
      [campaign.id],
    );
    expect(row?.next_attempt_at.getTime()).toBe((row?.created_at.getTime() ?? 0) + HOUR);
    expect(calling.dials(phoneNumber)).toEqual([]);
    await campaign.played(worker.app, 25 * HOUR + MINUTE);
    expect(calling.dials(phoneNumber)).toHaveLength(1);
  });
});

describe('a deleted contact', () => {
  test('ends its live enrollments exited/contact_deleted in the deletion, and is not called', async () => {
    const { caller, campaign } = await start({ steps: [{ key: 'first', after: 'PT1H' }] });
    const other = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
    const { id, to, contactId } = await campaign.enroll();
    const stays = await campaign.enroll();
    const body = { contactId, campaignId: other.id };
    const enrolled = await calling
      .http()
      .post('/api/campaigns/enrollments')
      .set(bearer(caller.apiKey))
      .send(body);
    const second = (enrolled.body as { enrollmentId: string }).enrollmentId;
    await other.move(second, 'pause');
    await campaign.played(worker.app, 0);
    const answer = await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey));
    expect(answer.status).toBeLessThan(300);
    for (const one of [id, second]) {
      const row = await campaign.row(one);
      expect(row).toMatchObject({
        status: 'exited',
        end_reason: 'contact_deleted',
        look_at: null,
        waiting_for: null,
        next_attempt_at: null,
      });
      expect(row.timeline.at(-1)).toMatchObject({ kind: 'ended', endReason: 'contact_deleted' });
    }
    await campaign.played(worker.app, 2 * HOUR);
    expect(calling.dials(to)).toEqual([]);
    expect(calling.dials(stays.to)).toHaveLength(1);
  });
});

describe('a contact that was erased and came back', () => {
  // Also the calls beyond 30 days count.

  const DAY_MS = 86_400_000;

  test.each([
    ['perNumber', { perNumber: [{ count: 1, per: 'P90D' }] }],
    ['afterConversation', { afterConversation: 'P90D' }],
  ])('%s counts the calls of an erased contact that was stored again', async (_, caps) => {
    const caller = await buildCaller(calling.db);
    const campaign = await PlayedCampaign.build(calling, caller, {
      steps: [{ key: 'first', after: 'PT0S' }],
      caps,
    });
    const to = nextNumber();
    await buildProcessedCall(calling.db, caller, to, '60 days');
    const contactId = await contactIdOf(calling.db, caller.teamId, to);
    await calling.http().delete(`/api/contacts/${contactId}`).set(bearer(caller.apiKey)).expect(204);
    const { id } = await campaign.enroll({ phone_number: to });
    await campaign.at(worker.app, 0);
    expect(calling.dials(to)).toEqual([]);
    const row = await campaign.row(id);
    expect(row).toMatchObject({ status: 'active', waiting_for: 'caps' });
    const until = Date.now() + 30 * DAY_MS;
    expect(Math.abs((row.next_attempt_at?.getTime() ?? 0) - until)).toBeLessThan(DAY_MS);
  });
});
