import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { AppError } from '../http/app-error.js';
import { bearerToken } from '../http/bearer-token.js';
import { traceOf } from '../telemetry/request-trace.js';
import { hashApiKey } from './api-key.js';

/** Asked before the team is known, so by the function that may see every key. $1 SHA-256 of the API key. */
const TEAM_OF_KEY: Statement = {
  name: 'team_of_key',
  text: 'SELECT team_id FROM team_of_key($1) AS team_id WHERE team_id IS NOT NULL',
};

type TeamRequest = Request & { teamId?: string };

/** Admits requests that carry a team's key (contract 5). Keys are not cached: a revoked one is dead at once. */
@Injectable()
export class TeamAuthGuard implements CanActivate {
  constructor(private readonly transactions: Transactions) {}

  /** @throws AppError UNAUTHORIZED, in the contract's words. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TeamRequest>();
    const key = bearerToken(request.headers.authorization);
    const [row] =
      key === null
        ? []
        : await this.transactions.read<{ team_id: string }>(query(TEAM_OF_KEY, hashApiKey(key)));
    if (row === undefined) throw new AppError('UNAUTHORIZED', 'Invalid API key');
    request.teamId = row.team_id;
    traceOf(request).teamId = row.team_id;
    return true;
  }
}

/** The team of the request's key; only behind {@link TeamAuthGuard}. */
export const TeamId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { teamId } = context.switchToHttp().getRequest<TeamRequest>();
  if (teamId === undefined) throw new Error('TeamId is used without TeamAuthGuard');
  return teamId;
});
