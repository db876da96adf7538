import { Module } from '@nestjs/common';
import { RegisterImports } from './register-imports.service.js';
import { RegistersService } from './registers.service.js';

/**
 * Public registers of numbers that must not be called, of the whole platform. In come files of the operator; out goes
 * what each register says of a number (`registers_of`). Tables: `register_versions`, `register_numbers`.
 */
@Module({ providers: [RegisterImports, RegistersService], exports: [RegisterImports, RegistersService] })
export class RegistersModule {}
