import { Module } from '@nestjs/common';
import { ConsentRows } from './consent-rows.service.js';

/** Rows of files as consents, for the worker as well. In come fields; out go statements. Tables: those of ConsentsModule. */
@Module({ providers: [ConsentRows], exports: [ConsentRows] })
export class ConsentRowsModule {}
