import { Global, Module } from '@nestjs/common';
import { FailedAuthentications } from './failed-authentications.js';

/** One count of failures for the whole process. */
@Global()
@Module({ providers: [FailedAuthentications], exports: [FailedAuthentications] })
export class FailedAuthenticationsModule {}
