import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { AppError } from '../http/app-error.js';
import { bearerToken } from '../http/bearer-token.js';
import { RateLimiterService } from './rate-limiter.service.js';

// What teams call with their keys: everything below /api but the operator's surface and the carriers' callbacks.
const LIMITED = /^\/api\/(?!admin(?:\/|$)|carriers\/)/;

/**
 * The API rate limit, before anything looks at Postgres, so also before the key is known to be good. Routes are told
 * by their patterns, since addresses come in more than one spelling. Requests without a key have no bucket: they
 * cost one look-up at most.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiterService) {}

  /** @throws AppError `RATE_LIMITED`, which each surface words in its own shape. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { path } = (request.route ?? {}) as { path?: string };
    const apiKey = bearerToken(request.headers.authorization);
    if (apiKey === null || !LIMITED.test(path ?? '')) return true;
    const waitMs = await this.limiter.take(apiKey);
    if (waitMs === null) return true;
    // Rounded up: who comes back then is let in.
    http.getResponse<Response>().setHeader('Retry-After', Math.max(1, Math.ceil(waitMs / 1_000)));
    throw new AppError('RATE_LIMITED', 'Too many requests');
  }
}
