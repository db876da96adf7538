import { Injectable } from '@nestjs/common';
import { type QueryRunner } from 'typeorm';
import { Config } from '../config/config.js';
import { untilLocked } from '../database/brief-locks.js';
import { copyRows } from '../database/copy-rows.js';
import { createDataSource } from '../database/data-source.js';
import { violatedConstraint } from '../database/database-errors.js';
import { sessionName } from '../database/session-name.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { type RegisterFormat } from './reading/formats.js';
import { type Layout, RegisterRows, UnreadableRegister } from './reading/register-rows.js';
import { writtenAt } from './reading/source-files.js';
import {
  ADD_VERSION,
  addKey,
  attachTable,
  copyInto,
  createTable,
  dropTable,
  END_VERSION,
  LOCK_NUMBERS,
  LOCK_REGISTER,
  NEW_VERSION,
  OTHER_OWNER,
  removeRepeated,
  tableOf,
  VERSION_IN_FORCE,
  type VersionInForceRow,
  WITHOUT_LIMITS,
} from './registers.sql.js';

/** Statements that read registers wait no longer than this behind a version that is being replaced. */
const LOCK_WAIT_MS = 200;
const REGISTER = /^[a-z0-9][a-z0-9.+_-]{0,63}$/;
/** A new version with fewer than so many of the numbers in force is taken for a part of the list. */
const LEAST_SHARE = 0.5;

/** What is imported, and how. */
interface RegisterSource extends Layout {
  /** Such as `us-ftc-dnc`. */
  register: string;
  /** Files, or zip archives of them, that are the whole register together; `-` is standard input. */
  paths: readonly string[];
  /** When the list was made; by default when the oldest file was written. */
  asOf?: Date;
  /** Whether the files have all numbers of the register, also where they are of single area codes. */
  isComplete?: boolean;
  /** Whether the version may be older than the one in force, or have less than half of its numbers. */
  force?: boolean;
  /** Is told how many numbers were read. */
  onProgress?: (numbers: number) => void;
}

/** The version that an import put in force. */
export interface ImportedRegister {
  register: string;
  version: number;
  format: RegisterFormat;
  asOf: Date;
  numbers: number;
  /** How many area codes it is about; null: all numbers. */
  areas: number | null;
  /** The numbers of the version that it replaced; null: there was none. */
  replaced: number | null;
}

/** Puts versions of registers in force, and takes them out of it. */
@Injectable()
export class RegisterImports {
  constructor(private readonly config: Config) {}

  /**
   * Replaces the version of the register in force by the files. It is one transaction: it ends with the new version
   * in force, or nothing has changed, also if the process or Postgres ends in the middle.
   *
   * @throws AppError `INVALID_REQUEST` for the files or the options, `CONFLICT` while another import of the register
   *   runs; the database's error.
   */
  async import(source: RegisterSource): Promise<ImportedRegister> {
    if (!REGISTER.test(source.register))
      throw invalid('register must be a name of lower-case letters and digits, such as us-ftc-dnc');
    const rows = new RegisterRows(source.paths, source);
    try {
      const written = source.asOf ?? (await writtenAt(source.paths));
      return await this.inTransaction((runner) => load(runner, source, rows, written));
    } catch (error) {
      if (error instanceof UnreadableRegister) throw invalid(error.message);
      const { syscall, code } = error as NodeJS.ErrnoException;
      throw syscall === 'stat' ? invalid(`file cannot be read (${code})`) : error;
    }
  }

  /**
   * Takes the register out of force, and deletes its numbers. Rules that need it then say that it is missing.
   * @throws AppError `NOT_FOUND`; the database's error.
   */
  async remove(register: string): Promise<void> {
    await this.inTransaction(async (runner) => {
      await lockRegister(runner, register);
      await replaceVersion(runner, async () => {
        const ended = await endVersion(runner, register, 'removed');
        if (ended === null) throw notFound('Register');
        await runner.query(dropTable(ended));
      });
    });
  }

  private async inTransaction<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
    const dataSource = createDataSource(this.config.databaseUrl, {
      unlimited: true,
      poolSize: 1,
      applicationName: sessionName('outdial-registers'),
    });
    await dataSource.initialize();
    try {
      return await dataSource.transaction(async ({ queryRunner }) => {
        if (queryRunner === undefined) throw new Error('the transaction has no connection');
        await queryRunner.query(WITHOUT_LIMITS);
        const [other] = (await queryRunner.query(OTHER_OWNER)) as { role: string }[];
        if (other !== undefined) await queryRunner.query(`SET LOCAL ROLE ${other.role}`);
        return work(queryRunner);
      });
    } finally {
      await dataSource.destroy();
    }
  }
}

async function load(
  runner: QueryRunner,
  source: RegisterSource,
  rows: RegisterRows,
  written: Date | null,
): Promise<ImportedRegister> {
  const { register, format } = source;
  await lockRegister(runner, register);
  const [begun] = (await runner.query(NEW_VERSION)) as { id: number; now: Date }[];
  if (begun === undefined) throw new Error('Postgres returned no version');
  const { id, now } = begun;
  const [before] = (await runner.query(VERSION_IN_FORCE, [register])) as VersionInForceRow[];
  const asOf = asOfVersion(source, written, now);
  if (before !== undefined && !source.force && asOf < before.asOf)
    throw invalid(
      `asOf ${asOf.toISOString()} is before that of the version in force, ${before.asOf.toISOString()}; force replaces it all the same`,
    );

  await runner.query(createTable(id));
  await copyRows(runner, copyInto(id), rows, () => source.onProgress?.(rows.count));
  if (rows.count === 0) throw invalid('file has no numbers');
  const numbers = rows.count - (await addKeyTo(runner, id));
  if (before !== undefined && !source.force && numbers < before.numbers * LEAST_SHARE)
    throw invalid(
      `file has ${numbers} numbers, less than half of the ${before.numbers} in force; force replaces them all the same`,
    );

  const areas = source.isComplete ? null : rows.areas;
  await replaceVersion(runner, async () => {
    const ended = await endVersion(runner, register, 'replaced');
    await runner.query(ADD_VERSION, [id, register, format, asOf, numbers, areas]);
    await runner.query(attachTable(id));
    if (ended !== null) await runner.query(dropTable(ended));
  });
  return {
    register,
    version: id,
    format,
    asOf,
    numbers,
    areas: areas?.length ?? null,
    replaced: before?.numbers ?? null,
  };
}

/** Files that were written in the future are as of now. */
function asOfVersion({ asOf }: RegisterSource, written: Date | null, now: Date): Date {
  if (asOf !== undefined && asOf > now) throw invalid('asOf must not be in the future');
  return asOf ?? (written === null || written > now ? now : written);
}

async function lockRegister(runner: QueryRunner, register: string): Promise<void> {
  const [row] = (await runner.query(LOCK_REGISTER, [register])) as { locked: boolean }[];
  if (row?.locked !== true) throw new AppError('CONFLICT', `Another import of ${register} is running`);
}

/** @returns how many repeated rows were removed, of numbers that are in several files or lines. */
async function addKeyTo(runner: QueryRunner, version: number): Promise<number> {
  await runner.query('SAVEPOINT loaded');
  try {
    await runner.query(addKey(version));
    return 0;
  } catch (error) {
    if (violatedConstraint(error) !== `pk_${tableOf(version)}`) throw error;
  }
  await runner.query('ROLLBACK TO SAVEPOINT loaded');
  const [, removed] = (await runner.query(removeRepeated(version))) as [unknown, number];
  await runner.query(addKey(version));
  return removed;
}

/**
 * Runs the statements that replace a version under the exclusive lock of `register_numbers`. All statements that read
 * registers queue behind a wait for the lock, so it is brief and repeated.
 */
async function replaceVersion(runner: QueryRunner, replace: () => Promise<void>): Promise<void> {
  await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
  await untilLocked(async () => {
    await runner.query('SAVEPOINT unreplaced');
    try {
      await runner.query(LOCK_NUMBERS);
      await replace();
    } catch (error) {
      // It also releases the lock.
      await runner.query('ROLLBACK TO SAVEPOINT unreplaced');
      throw error;
    }
  });
}

/** @returns the id of the version; null if there was none in force. */
async function endVersion(
  runner: QueryRunner,
  register: string,
  status: 'replaced' | 'removed',
): Promise<number | null> {
  const [[ended]] = (await runner.query(END_VERSION, [register, status])) as [{ id: number }[], number];
  return ended?.id ?? null;
}
