import { Controller, Get, UseGuards } from '@nestjs/common';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ReadScope } from '../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { type PhoneNumberResource } from './phone-number.dto.js';
import { TeamPhoneNumbersService } from './team-phone-numbers.service.js';

/** The phone numbers of a team, for requests with the team's API key. */
@Controller('api/phone-numbers')
@UseGuards(TeamAuthGuard)
export class PhoneNumbersController {
  constructor(private readonly numbers: TeamPhoneNumbersService) {}

  @Get()
  @ReadScope('calls')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<PhoneNumberResource>> {
    return this.numbers.list(teamId, page);
  }
}
