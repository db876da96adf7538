import { Module } from '@nestjs/common';
import { ContactErasureAdminController } from './contact-erasure-admin.controller.js';
import { ContactErasureController } from './contact-erasure.controller.js';
import { ErasureModule } from './erasure.module.js';

/** The routes of erasure and export, the team's and the operator's; only the API process imports it. */
@Module({ imports: [ErasureModule], controllers: [ContactErasureController, ContactErasureAdminController] })
export class ErasureApiModule {}
