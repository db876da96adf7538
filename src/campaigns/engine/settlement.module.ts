import { Module } from '@nestjs/common';
import { ErasedNumbersModule } from '../../erasure/erased-numbers.module.js';
import { Settlement } from './settlement.service.js';

/**
 * Decides what follows for enrollments from calls and from time, without a dial: in the worker all the time, and
 * in the API before a request ends enrollments. Tables: `enrollments`.
 */
@Module({ imports: [ErasedNumbersModule], providers: [Settlement], exports: [Settlement] })
export class SettlementModule {}
