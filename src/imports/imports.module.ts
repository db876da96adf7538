import { Module } from '@nestjs/common';
import { ConsentRowsModule } from '../consents/consent-rows.module.js';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { ImportsService } from './imports.service.js';
import { HeldImports } from './upload/held-imports.service.js';
import { ImportIntake } from './upload/intake.service.js';
import { ImportLooks } from './upload/looks.service.js';

/**
 * Imports of contacts. In come files by a team's key; out go contacts, enrollments and a result of each row.
 * `upload/` stores rows, in the API; `work/` processes them, in the worker. Tables: `imports`,
 * `import_chunks`, `import_results`.
 */
@Module({
  imports: [ConsentRowsModule, ErasedNumbersModule],
  providers: [ImportsService, ImportIntake, ImportLooks, HeldImports],
  exports: [ImportsService, ImportIntake, ImportLooks, HeldImports],
})
export class ImportsModule {}
