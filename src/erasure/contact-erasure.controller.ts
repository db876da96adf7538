import { Controller, Delete, Get, HttpCode, Param, Res, UseGuards } from '@nestjs/common';
import { type Response } from 'express';
import { Audited } from '../audit/audited.decorator.js';
import { sendPieces } from '../http/send-pieces.js';
import { ChangeScope, ReadScope } from '../teams/key-scope.decorator.js';
import { TeamAuthGuard, TeamId } from '../teams/team-auth.guard.js';
import { ContactExportService } from './contact-export.service.js';
import { ErasureService } from './erasure.service.js';

/** Erasure and export of a person, by the team's key. */
@Controller('api/contacts')
@UseGuards(TeamAuthGuard)
export class ContactErasureController {
  constructor(
    private readonly erasure: ErasureService,
    private readonly exports: ContactExportService,
  ) {}

  @Delete(':contactId')
  @ChangeScope('contacts')
  @HttpCode(204)
  erase(@TeamId() teamId: string, @Param('contactId') contactId: string): Promise<void> {
    return this.erasure.erase(teamId, contactId);
  }

  @Get(':contactId/export')
  @Audited('contact.exported', 'contactId')
  @ReadScope('contacts')
  async export(
    @TeamId() teamId: string,
    @Param('contactId') contactId: string,
    @Res() response: Response,
  ): Promise<void> {
    await sendPieces(response, await this.exports.export(teamId, contactId));
  }
}
