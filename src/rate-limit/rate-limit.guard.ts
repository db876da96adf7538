import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { AppError } from '../http/app-error.js';
import { FailedAuthentications } from '../http/failed-authentications.js';
import { keyHashOf, teamOfRequest } from '../teams/key-of-request.js';
import { KnownKeys } from '../teams/known-keys.js';
import { RateLimiterService } from './rate-limiter.service.js';

// The routes that teams use with their keys: all routes below /api, except those of the operator and the
// carriers' callbacks.
const LIMITED = /^\/api\/(?!admin(?:\/|$)|carriers\/)/;

/** An empty bucket is full again after one second. */
const RESET_SECONDS = '1';

/**
 * Applies the API rate limit to known keys, and counts unknown keys by client address. The key is checked
 * first. So a known key uses only its own bucket, and an unknown key has no bucket. Routes are matched by
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
   * Lets a request with an unknown key through, because its route refuses the key with a message of its own.
   *
   * @throws AppError `RATE_LIMITED` if the bucket of a known key is empty, or if the client's address sent
   *   too many unknown keys. Each surface has its own format of this error.
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
    // Rounded up, so that the client does not return too early.
    response.setHeader('Retry-After', Math.max(1, Math.ceil(taken.waitMs / 1_000)));
    throw new AppError('RATE_LIMITED', 'Too many requests');
  }
}
