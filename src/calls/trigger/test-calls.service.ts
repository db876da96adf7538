import { Injectable } from '@nestjs/common';
import { ANY_TIME } from '../../domain/call-window.js';
import { hashApiKey } from '../../teams/api-key.js';
import { ApiKeysService } from '../../teams/api-keys.service.js';
import { type RequestTrace } from '../../telemetry/request-trace.js';
import { type TriggerResult } from './command.js';
import { TriggerService } from './trigger.service.js';

/** How long the key of a test call lives if the process stops before it revokes the key. */
const KEY_MS = 300_000;

/**
 * Places calls for people who try an agent, or call a contact from its page. Such a call takes the path of every
 * triggered call, with the same rules.
 * A trigger is decided by its API key, so a test call has a key of its own, which is revoked right after the answer.
 */
@Injectable()
export class TestCallsService {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly triggers: TriggerService,
  ) {}

  /**
   * @param phoneNumber as a person types it: it is read as the field of a request.
   * @param name of the key, by which the audit log tells what it was made for.
   * @throws AppError `NOT_FOUND` for the team; the error that prevented an answer, as `TriggerService.trigger`.
   */
  async place(
    teamId: string,
    agentId: string,
    phoneNumber: string,
    trace: RequestTrace,
    name = 'Test call of the dashboard',
  ): Promise<TriggerResult> {
    const { id, key } = await this.keys.create(teamId, {
      name,
      scopes: ['calls'],
      expiresAt: new Date(Date.now() + KEY_MS).toISOString(),
    });
    try {
      return await this.triggers.trigger({
        agentId,
        keyHash: hashApiKey(key),
        teamId,
        scopes: ['calls'],
        body: { ok: true, value: { phoneNumber } },
        window: { ok: true, value: ANY_TIME },
        idempotencyKey: { ok: true, value: null },
        trace,
      });
    } finally {
      await this.keys.revoke(teamId, id);
    }
  }
}
