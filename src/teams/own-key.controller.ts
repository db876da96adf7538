import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { type Request } from 'express';
import { admittedKeyOf } from './key-of-request.js';
import { AnyScope } from './key-scope.decorator.js';
import { type OwnKey, OwnKeyService } from './own-key.service.js';
import { TeamAuthGuard } from './team-auth.guard.js';

/** What the API key of a request is and may do. */
@Controller('api/me')
@UseGuards(TeamAuthGuard)
export class OwnKeyController {
  constructor(private readonly own: OwnKeyService) {}

  @Get()
  @AnyScope()
  get(@Req() request: Request): Promise<OwnKey> {
    return this.own.describe(admittedKeyOf(request));
  }
}
