import { Module } from '@nestjs/common';
import { ImportsController } from './imports.controller.js';
import { ImportsModule } from './imports.module.js';
import { UploadsService } from './upload/uploads.service.js';

/** The HTTP side of imports; only the API process imports it. */
@Module({ imports: [ImportsModule], providers: [UploadsService], controllers: [ImportsController] })
export class ImportsApiModule {}
