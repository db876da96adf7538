import { Module } from '@nestjs/common';
import { ErasedNumbers } from './erased-numbers.service.js';

/** What stands for erased numbers, by the key of the configuration. No tables. */
@Module({ providers: [ErasedNumbers], exports: [ErasedNumbers] })
export class ErasedNumbersModule {}
