import { Global, Module } from '@nestjs/common';
import { FailedAuthentications } from './failed-authentications.js';

/**
 * One count of failed authentications for the whole process. In come failures by client address; out go
 * refusals. No tables.
 */
@Global()
@Module({ providers: [FailedAuthentications], exports: [FailedAuthentications] })
export class FailedAuthenticationsModule {}
