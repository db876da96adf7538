import { Module } from '@nestjs/common';
import { ContactErasureAdminController } from './contact-erasure-admin.controller.js';
import { ContactErasureController } from './contact-erasure.controller.js';
import { ErasureModule } from './erasure.module.js';

/**
 * The routes of erasure and export. In come requests by a team's key or the operator's token; out go exports.
 * No tables. Only the API process imports it.
 */
@Module({ imports: [ErasureModule], controllers: [ContactErasureController, ContactErasureAdminController] })
export class ErasureApiModule {}
