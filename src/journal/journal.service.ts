import { type FileHandle } from 'node:fs/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import { AppError } from '../http/app-error.js';
import { describeError } from '../telemetry/describe-error.js';
import { createFile, dayOf, isWritableDirectory, readRecords, removeOldFiles } from './journal-files.js';
import { type JournalRecord, lineOf, type StampedRecord } from './journal-record.js';

interface Waiting {
  line: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Files outside the database with the opt-outs and erasures that must survive a restore. Each process appends
 * to its own file of the day. The journal is off unless `JOURNAL_DIR` is set.
 */
@Injectable()
export class Journal implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Journal');
  private waiting: Waiting[] = [];
  private flushing: Promise<void> | undefined;
  private file: { day: string; handle: FileHandle } | undefined;

  constructor(private readonly config: Config) {}

  /** @throws ConfigError where the directory cannot be written to. */
  async onModuleInit(): Promise<void> {
    const { journalDir } = this.config;
    if (journalDir === undefined || (await isWritableDirectory(journalDir))) return;
    throw new ConfigError(
      'Invalid environment variables:\n  JOURNAL_DIR: is no directory in which this process can make files',
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flushing;
    await this.file?.handle.close();
  }

  get on(): boolean {
    return this.config.journalDir !== undefined;
  }

  /**
   * Resolves once the record is on the disk; only then may the request be confirmed. Records that arrive
   * during a write share the next write.
   *
   * @throws AppError `SERVICE_UNAVAILABLE`: the client must repeat the request.
   */
  async append(record: JournalRecord): Promise<void> {
    if (!this.on) return;
    try {
      await new Promise<void>((resolve, reject) => {
        this.waiting.push({ line: lineOf(record, new Date()), resolve, reject });
        this.flushing ??= this.flush().finally(() => (this.flushing = undefined));
      });
    } catch (error) {
      this.logger.error(`not written: ${describeError(error)}`);
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'The change was not written to the journal: repeat the request',
      );
    }
  }

  /** Every record of every process. Without a journal there are no records. @throws DamagedJournalError. */
  records(): AsyncIterable<StampedRecord> {
    const { journalDir } = this.config;
    return journalDir === undefined ? nothing() : readRecords(journalDir);
  }

  private async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        const handle = await this.fileOfToday();
        await handle.appendFile(batch.map(({ line }) => line).join(''));
        await handle.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        await this.leaveFile();
        for (const { reject } of batch) reject(error);
      }
    }
  }

  private async fileOfToday(): Promise<FileHandle> {
    const now = new Date();
    const day = dayOf(now);
    if (this.file?.day === day) return this.file.handle;
    await this.leaveFile();
    const directory = this.config.journalDir ?? '';
    await removeOldFiles(directory, this.config.journalDays, now);
    const handle = await createFile(directory, day);
    this.file = { day, handle };
    return handle;
  }

  /** After a failed write the file may end with half a line, so no record may follow in it. */
  private async leaveFile(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.handle.close().catch(() => undefined);
  }
}

async function* nothing(): AsyncGenerator<StampedRecord> {
  // A deployment without a journal.
}
