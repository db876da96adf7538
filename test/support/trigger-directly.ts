import { randomUUID } from 'node:crypto';
import { type TriggerResult } from '../../src/calls/trigger/command.js';
import { TriggerService } from '../../src/calls/trigger/trigger.service.js';
import { ANY_TIME } from '../../src/domain/call-window.js';
import { hashApiKey } from '../../src/teams/api-key.js';
import { type Caller } from './call-builders.js';
import { type Calling } from './calling.js';

/**
 * Triggers a call by the API's service itself, so that requests of one iteration of the event loop share a
 * batch.
 */
export function triggerDirectly(
  calling: Calling,
  { agentId, apiKey, teamId }: Pick<Caller, 'agentId' | 'apiKey' | 'teamId'>,
  body: Record<string, unknown>,
): Promise<TriggerResult> {
  return calling.api.get(TriggerService).trigger({
    agentId,
    keyHash: hashApiKey(apiKey),
    teamId,
    scopes: null,
    body: { ok: true, value: body },
    window: { ok: true, value: ANY_TIME },
    idempotencyKey: { ok: true, value: null },
    trace: { requestId: randomUUID() },
  });
}
