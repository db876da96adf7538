import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type VersionState } from './register-version.entity.js';
import { VERSIONS } from './registers.sql.js';

/** A version of a register. */
export interface RegisterResource {
  register: string;
  version: number;
  status: VersionState;
  format: string;
  /** When the list was made. */
  asOf: Date;
  importedAt: Date;
  endedAt: Date | null;
  numbers: number;
  /** How many area codes the files are about; null: all numbers. */
  areas: number | null;
  ageSeconds: number;
}

/** Public registers of numbers that must not be called, as the operator sees them. */
@Injectable()
export class RegistersService {
  constructor(private readonly dataSource: DataSource) {}

  /** @param ended whether versions that are not in force are listed, too. */
  list(ended = false): Promise<RegisterResource[]> {
    return this.dataSource.query<RegisterResource[]>(VERSIONS, [ended]);
  }
}
