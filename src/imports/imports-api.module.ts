import { Module } from '@nestjs/common';
import { ImportsController } from './imports.controller.js';
import { ImportsModule } from './imports.module.js';
import { UploadsService } from './upload/uploads.service.js';

/**
 * The HTTP side of imports. In come a team's files and requests; out go stored rows, and the results of
 * processed rows. Tables: those of ImportsModule. Only the API process imports it.
 */
@Module({ imports: [ImportsModule], providers: [UploadsService], controllers: [ImportsController] })
export class ImportsApiModule {}
