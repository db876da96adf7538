import { Get, Param, Patch, Post } from '@nestjs/common';
import { JsonBody } from '../http/json-body.decorator.js';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { PageOf } from '../http/page-of.decorator.js';
import { type Page, type PageRequest } from '../http/page.js';
import { CreatePhoneNumber, type PhoneNumberResource, UpdatePhoneNumber } from './phone-number.dto.js';
import { PhoneNumbersService } from './phone-numbers.service.js';

@OperatorController('teams/:teamId/phone-numbers')
export class PhoneNumbersAdminController {
  constructor(private readonly numbers: PhoneNumbersService) {}

  @Get()
  list(@Param('teamId') teamId: string, @PageOf() page: PageRequest): Promise<Page<PhoneNumberResource>> {
    return this.numbers.list(teamId, page);
  }

  @Post()
  create(
    @Param('teamId') teamId: string,
    @JsonBody(CreatePhoneNumber) fields: CreatePhoneNumber,
  ): Promise<PhoneNumberResource> {
    return this.numbers.create(teamId, fields);
  }

  @Get(':id')
  get(@Param('teamId') teamId: string, @Param('id') id: string): Promise<PhoneNumberResource> {
    return this.numbers.get(teamId, id);
  }

  @Patch(':id')
  update(
    @Param('teamId') teamId: string,
    @Param('id') id: string,
    @JsonBody(UpdatePhoneNumber) fields: UpdatePhoneNumber,
  ): Promise<PhoneNumberResource> {
    return this.numbers.update(teamId, id, fields);
  }
}
