import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { AppError } from '../http/app-error.js';
import { FailedAuthentications } from '../http/failed-authentications.js';
import { keyHashOf, teamOfRequest } from '../teams/key-of-request.js';
import { KnownKeys } from '../teams/known-keys.js';
import { RateLimiterService } from './rate-limiter.service.js';

// What teams call with their keys: everything below /api but the operator's surface and the carriers'
// callbacks.
const LIMITED = /^\/api\/(?!admin(?:\/|$)|carriers\/)/;

/** A bucket holds what comes back to it in a second. */
const RESET_SECONDS = '1';

/**
 * The API rate limit of known keys, and the count of unknown ones by client address. The key is checked
 * first, so that a known key uses only its own bucket and an unknown one has none. Routes are matched by
 * their patterns, because a URL has more than one spelling.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiterService,
    private readonly keys: KnownKeys,
    private readonly failures: FailedAuthentications,
  ) {}

  /**
   * Lets an unknown key through: its route refuses it in its own words.
   *
   * @throws AppError `RATE_LIMITED`, which each surface words in its own shape.
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { path } = (request.route ?? {}) as { path?: string };
    if (!LIMITED.test(path ?? '')) return true;
    const keyHash = keyHashOf(request);
    if (keyHash === null || (await teamOfRequest(this.keys, request)) === null) {
      this.failures.count(request);
      return true;
    }
    const taken = await this.limiter.take(keyHash);
    if (taken === null) return true;
    const response = http.getResponse<Response>();
    response.setHeader('RateLimit-Limit', taken.limit);
    response.setHeader('RateLimit-Remaining', taken.remaining);
    response.setHeader('RateLimit-Reset', RESET_SECONDS);
    if (taken.waitMs === null) return true;
    // Rounded up: a client that comes back then is let in.
    response.setHeader('Retry-After', Math.max(1, Math.ceil(taken.waitMs / 1_000)));
    throw new AppError('RATE_LIMITED', 'Too many requests');
  }
}
