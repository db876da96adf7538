import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type SealedColumn } from './sealed-column.js';
import { StoredSecrets } from './stored-secrets.js';

/** Rows of one transaction. */
export const ROWS_A_BATCH = 200;

/** Secrets that were sealed again, and those that needed nothing. */
export interface Reencrypted {
  sealed: number;
  unchanged: number;
}

interface StoredRow {
  id: string;
  value: string;
}

/**
 * Seals values that are plain or under the previous key. A value that changes meanwhile is left as the change made
 * it. It may be interrupted: what is sealed stays so, and a later run finds the rest.
 */
@Injectable()
export class Reencryption {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: StoredSecrets,
  ) {}

  /** @throws SecretNotOpened at the first value that neither key opens; values before it are sealed. */
  async run(columns: readonly SealedColumn[]): Promise<Reencrypted> {
    const total: Reencrypted = { sealed: 0, unchanged: 0 };
    for (const column of columns) {
      const { sealed, unchanged } = await this.runColumn(column);
      total.sealed += sealed;
      total.unchanged += unchanged;
    }
    return total;
  }

  private async runColumn(column: SealedColumn): Promise<Reencrypted> {
    const done: Reencrypted = { sealed: 0, unchanged: 0 };
    for (let after: string | null = null; ;) {
      const rows = await this.read(column, after);
      const { sealed, unchanged } = await this.renew(column, rows);
      done.sealed += sealed;
      done.unchanged += unchanged;
      after = rows.at(-1)?.id ?? null;
      if (rows.length < ROWS_A_BATCH) return done;
    }
  }

  private read({ table, column }: SealedColumn, after: string | null): Promise<StoredRow[]> {
    return this.dataSource.query<StoredRow[]>(
      `SELECT id, ${column} AS value FROM ${table}
      WHERE ${column} <> '' AND ($1::uuid IS NULL OR id > $1::uuid)
      ORDER BY id
      LIMIT ${ROWS_A_BATCH}`,
      [after],
    );
  }

  private async renew(column: SealedColumn, rows: StoredRow[]): Promise<Reencrypted> {
    const { table, sealedFor } = column;
    const outdated = rows.flatMap(({ id, value }) => {
      const renewed = this.secrets.renewed(value, { table, column: sealedFor, id });
      return renewed === null ? [] : [{ id, value, renewed }];
    });
    const sealed = outdated.length === 0 ? 0 : await this.write(column, outdated);
    return { sealed, unchanged: rows.length - outdated.length };
  }

  /** @returns how many rows still had the value that was read. */
  private write({ table, column }: SealedColumn, rows: (StoredRow & { renewed: string })[]): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT set_config('outdial.reencrypting', 'on', true)`);
      const [, count] = await manager.query<[unknown[], number]>(
        `UPDATE ${table} t SET ${column} = q.renewed
        FROM unnest($1::uuid[], $2::text[], $3::text[]) AS q (id, value, renewed)
        WHERE t.id = q.id AND t.${column} = q.value`,
        [rows.map(({ id }) => id), rows.map(({ value }) => value), rows.map(({ renewed }) => renewed)],
      );
      return count;
    });
  }
}
