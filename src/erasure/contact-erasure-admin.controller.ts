import { Delete, HttpCode, Param } from '@nestjs/common';
import { OperatorController } from '../http/operator-controller.decorator.js';
import { ErasureService } from './erasure.service.js';

@OperatorController('teams/:teamId/contacts')
export class ContactErasureAdminController {
  constructor(private readonly erasure: ErasureService) {}

  @Delete(':contactId')
  @HttpCode(204)
  erase(@Param('teamId') teamId: string, @Param('contactId') contactId: string): Promise<void> {
    return this.erasure.erase(teamId, contactId);
  }
}
