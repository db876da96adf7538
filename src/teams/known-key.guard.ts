import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { AppError } from '../http/app-error.js';
import { bearerToken } from '../http/bearer-token.js';
import { ownBody } from '../http/body-reader.js';
import { traceOf } from '../telemetry/request-trace.js';
import { hashApiKey } from './api-key.js';
import { KnownKeys } from './known-keys.js';

type AskedRequest = Request & { teamOfKey?: Promise<string | null> };

/**
 * The team whose key a request sends, before its body is read; null for no key or an unknown one. Asked once for each
 * request. The body is then read at the expense of that team.
 *
 * @throws the driver's error when Postgres cannot be asked.
 */
export function teamOfRequest(keys: KnownKeys, request: Request): Promise<string | null> {
  return ((request as AskedRequest).teamOfKey ??= askTeam(keys, request));
}

async function askTeam(keys: KnownKeys, request: Request): Promise<string | null> {
  const apiKey = bearerToken(request.headers.authorization);
  const teamId = apiKey === null ? null : await keys.teamOf(hashApiKey(apiKey));
  if (teamId === null) return null;
  traceOf(request).teamId = teamId;
  ownBody(request, teamId);
  return teamId;
}

/**
 * Admits requests with a known team key, so that no body is read without one. A key that was revoked in the last five seconds
 * passes here; the transaction that does the work refuses it.
 */
@Injectable()
export class KnownKeyGuard implements CanActivate {
  constructor(private readonly keys: KnownKeys) {}

  /** @throws AppError UNAUTHORIZED, in the contract's words (5.5). */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if ((await teamOfRequest(this.keys, request)) === null) {
      throw new AppError('UNAUTHORIZED', 'Invalid API key');
    }
    return true;
  }
}
