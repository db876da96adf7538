import { Get, Param } from '@nestjs/common';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { ReadScope } from '../teams/key-scope.decorator.js';
import { TeamId } from '../teams/team-auth.guard.js';
import { TeamController } from '../teams/team-controller.decorator.js';
import { type PhoneNumberResource } from './phone-number.dto.js';
import { PhoneNumbersService } from './phone-numbers.service.js';
import { TeamPhoneNumbersService } from './team-phone-numbers.service.js';

/** The phone numbers of a team, for requests with the team's API key. The operator adds and changes them. */
@TeamController('phone-numbers')
export class PhoneNumbersController {
  constructor(
    private readonly own: TeamPhoneNumbersService,
    private readonly numbers: PhoneNumbersService,
  ) {}

  @Get()
  @ReadScope('agents', 'calls')
  list(@TeamId() teamId: string, @PageOf() page: PageRequest): Promise<Page<PhoneNumberResource>> {
    return this.own.list(teamId, page);
  }

  @Get(':id')
  @ReadScope('agents', 'calls')
  get(@TeamId() teamId: string, @Param('id') id: string): Promise<PhoneNumberResource> {
    return this.numbers.get(teamId, id);
  }
}
