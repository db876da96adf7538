import { Module } from '@nestjs/common';
import { ErasedForms } from '../domain/erased-number.js';
import { ErasedNumbers } from './erased-numbers.service.js';

/** Erased numbers. In come numbers and the key of the configuration; out go their erased forms. No tables. */
@Module({
  providers: [ErasedNumbers, { provide: ErasedForms, useExisting: ErasedNumbers }],
  exports: [ErasedNumbers, ErasedForms],
})
export class ErasedNumbersModule {}
