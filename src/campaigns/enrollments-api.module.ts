import { Module } from '@nestjs/common';
import { EnrollService } from './enroll.service.js';
import { EnrollmentsController } from './enrollments.controller.js';

/** Enrolling by a team's key; only the API process imports it. */
@Module({ providers: [EnrollService], controllers: [EnrollmentsController] })
export class EnrollmentsApiModule {}
