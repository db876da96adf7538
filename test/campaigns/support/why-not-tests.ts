import { type WhyNot } from '../../../src/campaigns/engine/why-not.js';
import { type Row } from '../../support/builders.js';
import { type Calling } from '../../support/calling.js';
import { startCampaign } from './campaign-tests.js';

export const ONCE = { steps: [{ key: 'first' }] };
export const oneStep = (step: object) => ({ steps: [{ key: 'first', ...step }] });

/** A campaign of a new team with one enrollment. */
export async function startEnrolled(
  calling: Calling,
  definition: object = ONCE,
  team: Row = {},
  agent: Row = {},
) {
  const { caller, campaign } = await startCampaign(calling, definition, { team, agent });
  return { caller, campaign, ...(await campaign.enroll()) };
}

export type Started = Awaited<ReturnType<typeof startEnrolled>>;

/** `whyNot` of an enrollment as the operator reads it. */
export async function readWhyNot(
  calling: Calling,
  { caller, campaign, id }: Pick<Started, 'caller' | 'campaign' | 'id'>,
): Promise<WhyNot | null> {
  const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments/${id}`;
  const answer = await calling.operator('get', path).expect(200);
  return (answer.body as { whyNot: WhyNot | null }).whyNot;
}
