import { Controller, Get, UseGuards } from '@nestjs/common';
import { ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../../teams/team-auth.guard.js';
import { type FeedRequest, FeedOf } from './feed-request.js';
import { type EventPage, FeedService } from './feed.service.js';

/** The events of a team, for requests with the team's API key. */
@Controller('api/events')
@UseGuards(TeamAuthGuard)
export class FeedController {
  constructor(private readonly events: FeedService) {}

  @Get()
  @ReadScope('webhooks')
  list(@TeamId() teamId: string, @FeedOf() request: FeedRequest): Promise<EventPage> {
    return this.events.read(teamId, request);
  }
}
