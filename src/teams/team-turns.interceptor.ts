import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { type Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { KeyedSemaphore, QUEUE_TIMEOUT_MS } from '../database/keyed-semaphore.js';
import { admittedKeyOf } from './key-of-request.js';

/** How many requests of one team, and of all teams, use the operator's connections to Postgres at a time. */
const TURNS = { ofTeam: 2, inAll: 6 };

/**
 * The services behind {@link TeamController} use the operator's pool of connections. Without turns, one team's requests
 * could occupy all of them.
 */
@Injectable()
export class TeamTurns implements NestInterceptor {
  private static readonly semaphore = new KeyedSemaphore(TURNS.inAll, TURNS.ofTeam);

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { teamId } = admittedKeyOf(context.switchToHttp().getRequest<Request>());
    return from(
      TeamTurns.semaphore.run(
        teamId,
        () => lastValueFrom(next.handle(), { defaultValue: undefined }),
        QUEUE_TIMEOUT_MS,
      ),
    );
  }
}
