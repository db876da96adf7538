import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { teamOfKey } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { credentialsHint } from '../../http/bearer-token.js';
import { isUuid } from '../../http/validators.js';
import { hashApiKey } from '../../teams/api-key.js';
import { keyHashOf, knownKeyOf, teamOfRequest } from '../../teams/key-of-request.js';
import { KnownKeys } from '../../teams/known-keys.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ACCESS, type AccessRow } from './trigger.sql.js';
import { refused, type TriggerResult } from './command.js';
import { deniedBy } from './access.js';
import { accessOf } from './facts.js';

/**
 * The scope that a key needs to place calls. A key without this scope is refused like a wrong key, with the
 * message of contract 4.1.
 */
const SCOPE = 'calls';

function hintTo(reason: string, { headers }: Request) {
  return reason === 'INVALID_API_KEY' ? credentialsHint(headers) : {};
}

/** Checks agent id and key of a request to the call endpoint before its body is read. */
@Injectable()
export class TriggerGate {
  constructor(
    private readonly keys: KnownKeys,
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Returns `AGENT_NOT_FOUND` or `INVALID_API_KEY`; null if the body is to be read. A key without the scope
   * is refused as invalid.
   */
  async refusalOf(agentId: string, request: Request): Promise<TriggerResult | null> {
    const result = await this.checkAccess(agentId, request, SCOPE).catch(this.metrics.undecided('trigger'));
    if (result?.kind === 'refused') this.metrics.decided('trigger', 'refused', result.reason);
    return result;
  }

  /**
   * Like {@link refusalOf}, but a refusal is not counted as one of a trigger.
   * @param scope the scope that the key must have; null: no scope is needed.
   */
  async checkAccess(
    agentId: string,
    request: Request,
    scope: string | null = null,
  ): Promise<TriggerResult | null> {
    if (!isUuid(agentId)) return refused('AGENT_NOT_FOUND');
    const isKnown = (await teamOfRequest(this.keys, request)) !== null;
    const { scopes = null } = knownKeyOf(request) ?? {};
    if (isKnown && (scope === null || scopes === null || scopes.includes(scope))) return null;
    const keyHash = keyHashOf(request) ?? hashApiKey('');
    const [row] = await this.transactions
      .within(teamOfKey(keyHash))
      .read<AccessRow>(query(ACCESS, keyHash, agentId));
    const denied = deniedBy(accessOf(row));
    if (denied !== null) return { ...refused(denied.reason), ...hintTo(denied.reason, request) };
    return isKnown ? refused('INVALID_API_KEY') : null;
  }
}
