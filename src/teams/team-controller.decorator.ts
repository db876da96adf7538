import {
  applyDecorators,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { type Request } from 'express';
import { admittedKeyOf } from './key-of-request.js';
import { TeamAuthGuard } from './team-auth.guard.js';
import { TeamTurns } from './team-turns.interceptor.js';

/**
 * The door for a team's own key to routes that the operator has for every team: `path` is below `/api`, and the key
 * names the team. Each team's requests wait in a queue of their own (see {@link TeamTurns}).
 */
export function TeamController(path: string): ClassDecorator {
  return applyDecorators(Controller(`api/${path}`), UseGuards(TeamAuthGuard), UseInterceptors(TeamTurns));
}

/** Requests to this route wait in the queue of their team, as those to a {@link TeamController} do. */
export const InTeamTurns = (): MethodDecorator => UseInterceptors(TeamTurns);

/**
 * The team whose rows a route reads or changes, for routes with two doors: the operator names it in the path, a
 * team's request by its key.
 */
export const TeamOfRoute = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<Request>();
  const { teamId } = request.params;
  return typeof teamId === 'string' ? teamId : admittedKeyOf(request).teamId;
});
