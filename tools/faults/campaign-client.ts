import { pause } from '../services/run.js';
import { type SteeringRecords } from './campaign-history.js';
import { type PlayedCampaign } from './campaign-teams.js';
import { request, succeeded } from './http-request.js';
import { type Tenant } from './tenants.js';

const AGAIN_MS = 500;
/** What is not answered by then is left to the end of the run, when everything is whole again. */
const MOST_TIMES = 20;

/** Enrolls contacts and steers enrollments and campaigns, and remembers what it was told. */
export class CampaignClient {
  readonly records: SteeringRecords = { enrolled: [], exits: [], pauses: [] };

  constructor(
    private readonly apiUrl: string,
    private readonly operatorToken: string,
  ) {}

  /** @returns the contact's id; undefined without an answer. */
  async createContact(
    { apiKey }: Tenant,
    phoneNumber: string,
    campaignId?: string,
  ): Promise<string | undefined> {
    const url = `${this.apiUrl}/api/contacts`;
    const { body } = await request('POST', url, apiKey, { phoneNumber, name: 'Ada', campaignId });
    return typeof body.contactId === 'string' ? body.contactId : undefined;
  }

  /** @returns the enrollment's id; undefined without an answer, and where the campaign is not active. */
  async enroll({ id: campaignId, team }: PlayedCampaign, contactId: string): Promise<string | undefined> {
    const url = `${this.apiUrl}/api/campaigns/enrollments`;
    const { status, body } = await request('POST', url, team.apiKey, { contactId, campaignId });
    if (status !== 201 || typeof body.enrollmentId !== 'string') return undefined;
    this.records.enrolled.push(body.enrollmentId);
    return body.enrollmentId;
  }

  async exit(campaign: PlayedCampaign, enrollmentId: string): Promise<void> {
    const answer = await request(
      'POST',
      this.enrollmentUrl(campaign, enrollmentId, 'exit'),
      this.operatorToken,
    );
    if (succeeded(answer)) this.records.exits.push({ of: enrollmentId, at: Date.now() });
  }

  async archive(campaign: PlayedCampaign): Promise<void> {
    for (let time = 0; time < MOST_TIMES; time += 1) {
      const answer = await request('POST', `${this.campaignUrl(campaign)}/archive`, this.operatorToken);
      if (succeeded(answer)) this.records.exits.push({ of: campaign.id, at: Date.now() });
      if (isSettled(answer.status)) return;
      await pause(AGAIN_MS);
    }
  }

  /** For a while; what the pause came to may be unknown, and it is over in the end all the same. */
  async pauseEnrollment(campaign: PlayedCampaign, enrollmentId: string, ms: number): Promise<void> {
    await this.paused(
      enrollmentId,
      ms,
      () => request('POST', this.enrollmentUrl(campaign, enrollmentId, 'pause'), this.operatorToken),
      () => this.resumeEnrollment(campaign, enrollmentId),
    );
  }

  /** @see CampaignClient.pauseEnrollment */
  async pauseCampaign(campaign: PlayedCampaign, ms: number): Promise<void> {
    const url = this.campaignUrl(campaign);
    await this.paused(
      campaign.id,
      ms,
      () => request('PATCH', url, this.operatorToken, { status: 'paused' }),
      () => this.resumeCampaign(campaign),
    );
  }

  resumeEnrollment(campaign: PlayedCampaign, enrollmentId: string) {
    return request('POST', this.enrollmentUrl(campaign, enrollmentId, 'resume'), this.operatorToken);
  }

  resumeCampaign(campaign: PlayedCampaign) {
    return request('PATCH', this.campaignUrl(campaign), this.operatorToken, { status: 'active' });
  }

  private async paused(
    of: string,
    ms: number,
    begin: () => ReturnType<typeof request>,
    end: () => ReturnType<typeof request>,
  ): Promise<void> {
    const record = { of, from: Infinity, to: Infinity };
    if (succeeded(await begin())) record.from = Date.now();
    this.records.pauses.push(record);
    await pause(ms);
    record.to = Date.now();
    // A refusal says that it is over already, as the end of an enrollment is.
    for (let time = 1; time < MOST_TIMES && !isSettled((await end()).status); time += 1)
      await pause(AGAIN_MS);
  }

  private campaignUrl({ id, teamId }: PlayedCampaign): string {
    return `${this.apiUrl}/api/admin/teams/${teamId}/campaigns/${id}`;
  }

  private enrollmentUrl(campaign: PlayedCampaign, enrollmentId: string, move: string): string {
    return `${this.campaignUrl(campaign)}/enrollments/${enrollmentId}/${move}`;
  }
}

const isSettled = (status: number | null) => status !== null && status < 500;
