import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { team } from '../database/team-scope.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { type KeyScope, scopesOf } from '../domain/key-scopes.js';
import { SHOWN_TEAM_SETTINGS, type ShownTeamSettings } from '../domain/team-settings.js';
import { invalidApiKey } from './keyed-request.js';
import { type ScopedKey } from './key-of-request.js';

/** A team's limits; null is no limit. */
export interface OwnLimits extends ShownTeamSettings {
  /** Requests a second with this key. */
  apiRequestsPerSecond: number | null;
  /** Calls of this month that count; null without a limit, because calls are counted only for a limit. */
  monthlyCallsUsed: number | null;
}

/** A key as a request with this key reads it. */
export interface OwnKey {
  teamId: string;
  teamName: string;
  keyName: string;
  scopes: KeyScope[];
  limits: OwnLimits;
}

interface OwnKeyRow extends Omit<OwnLimits, 'apiRequestsPerSecond'>, Record<string, unknown> {
  teamName: string;
  keyName: string;
}

/** $1 team, $2 SHA-256 of the API key. */
const OWN_KEY: Statement = {
  name: 'own_key',
  text: `
    SELECT t.name AS "teamName", k.name AS "keyName",
      ${SHOWN_TEAM_SETTINGS.map(({ column, name }) => `t.${column} AS "${name}"`).join(', ')},
      CASE WHEN t.monthly_call_limit IS NOT NULL
        THEN counted_calls(t.id, date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date) END AS "monthlyCallsUsed"
    FROM teams t JOIN api_keys k ON k.team_id = t.id AND k.key_hash = $2
    WHERE t.id = $1`,
};

/** Reads what a key is and what it may do. */
@Injectable()
export class OwnKeyService {
  constructor(
    private readonly transactions: Transactions,
    private readonly config: Config,
  ) {}

  /** @param key that was just looked up. */
  async describe({ teamId, keyHash, scopes }: ScopedKey): Promise<OwnKey> {
    const own = this.transactions.within(team(teamId));
    const [row] = await own.read<OwnKeyRow>(query(OWN_KEY, teamId, keyHash));
    if (row === undefined) throw invalidApiKey();
    const { teamName, keyName, ...limits } = row;
    const { apiRateLimit } = this.config;
    return {
      teamId,
      teamName,
      keyName,
      scopes: scopesOf(scopes),
      limits: { apiRequestsPerSecond: apiRateLimit === 0 ? null : apiRateLimit, ...limits },
    };
  }
}
