import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { AppError } from '../http/app-error.js';
import { traceOf } from '../telemetry/request-trace.js';
import { keyHashOf } from './key-of-request.js';
import { KnownKeys } from './known-keys.js';

type TeamRequest = Request & { teamId?: string };

/**
 * Admits requests that carry a team's key (contract 5). No transaction judges the key again, so each request has it
 * looked up: a revoked one is dead at once. Concurrent requests share the statement.
 */
@Injectable()
export class TeamAuthGuard implements CanActivate {
  constructor(private readonly keys: KnownKeys) {}

  /** @throws AppError UNAUTHORIZED, in the contract's words. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<TeamRequest>();
    const keyHash = keyHashOf(request);
    const teamId = keyHash === null ? null : await this.keys.currentTeamOf(keyHash);
    if (teamId === null) throw new AppError('UNAUTHORIZED', 'Invalid API key');
    request.teamId = teamId;
    traceOf(request).teamId = teamId;
    return true;
  }
}

/** The team of the request's key; only behind {@link TeamAuthGuard}. */
export const TeamId = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const { teamId } = context.switchToHttp().getRequest<TeamRequest>();
  if (teamId === undefined) throw new Error('TeamId is used without TeamAuthGuard');
  return teamId;
});
