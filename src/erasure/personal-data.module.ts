import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type PersonalTable } from '../database/personal-data.js';
import { ErasedNumbersModule } from './erased-numbers.module.js';
import { ErasureKeyCheck, KEY_IS_OPTIONAL } from './erasure-key.check.js';
import { PERSONAL_TABLES } from './personal-tables.js';

/**
 * The register of tables with personal data. In comes the list that the root composes; out goes the register,
 * which exports and erasures read. A process whose database holds erased numbers does not start without their
 * key. Table: `erasure_key`, which the first erasure writes.
 */
@Global()
@Module({})
export class PersonalDataModule {
  /** @param keyIsOptional whether the process starts without the key, and refuses operations that need it. */
  static forRoot(tables: readonly PersonalTable[], { keyIsOptional = false } = {}): DynamicModule {
    return {
      module: PersonalDataModule,
      imports: [ErasedNumbersModule],
      providers: [
        { provide: PERSONAL_TABLES, useValue: tables },
        { provide: KEY_IS_OPTIONAL, useValue: keyIsOptional },
        ErasureKeyCheck,
      ],
      exports: [PERSONAL_TABLES],
    };
  }
}
