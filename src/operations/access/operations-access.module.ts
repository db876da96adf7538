import { Module } from '@nestjs/common';
import { PeopleModule } from '../../people/people.module.js';
import { OperationsAccess } from './operations-access.service.js';

/**
 * Access to the board; one instance, so that failures count together. In come requests; out go refusals. No tables.
 */
@Module({ imports: [PeopleModule], providers: [OperationsAccess], exports: [OperationsAccess] })
export class OperationsAccessModule {}
