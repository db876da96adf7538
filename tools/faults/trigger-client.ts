import { type TriggerRecord } from './history.js';
import { request } from './http-request.js';
import { type Tenant } from './tenants.js';

const PATIENCE_MS = 30_000;

/** A team by its one agent and its key. */
export type Caller = Pick<Tenant, 'teamId' | 'agentId' | 'apiKey'>;

/** Asks for calls and for additions to Do Not Call, and remembers every question with its answer. */
export class TriggerClient {
  readonly triggers: TriggerRecord[] = [];

  constructor(
    readonly apiUrl: string,
    readonly operatorToken: string,
  ) {}

  async trigger({ teamId, agentId, apiKey }: Caller, phoneNumber: string): Promise<TriggerRecord> {
    const startedAt = performance.now();
    const { status, body } = await request(
      'POST',
      `${this.apiUrl}/api/voice-agents/${agentId}/calls`,
      apiKey,
      {
        phoneNumber,
        name: 'Ada',
      },
    );
    const { callRequestId, reason } = body;
    const record = {
      teamId,
      phoneNumber,
      ms: performance.now() - startedAt,
      status,
      reason: typeof reason === 'string' ? reason : null,
      callRequestId: typeof callRequestId === 'string' ? callRequestId : null,
    };
    this.triggers.push(record);
    return record;
  }

  /** @returns the status of the answer; null without one. */
  async addToDoNotCall({ teamId }: Pick<Caller, 'teamId'>, phoneNumbers: string[]): Promise<number | null> {
    const url = `${this.apiUrl}/api/admin/teams/${teamId}/do-not-call`;
    return (await request('POST', url, this.operatorToken, { phoneNumbers })).status;
  }

  /** `/health/ready` of the API. */
  async readiness(): Promise<{ status: number; checks: Record<string, string> }> {
    const response = await fetch(`${this.apiUrl}/health/ready`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { checks } = (await response.json()) as { checks: Record<string, string> };
    return { status: response.status, checks };
  }
}
