import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type QueryRunner } from 'typeorm';

/**
 * Sends rows to `COPY … FROM STDIN` as fast as Postgres takes them.
 *
 * @param onSent is invoked after each piece.
 * @throws what `rows` throws; the database's error. The transaction is aborted then.
 */
export async function copyRows(
  runner: QueryRunner,
  text: string,
  rows: AsyncIterable<Buffer>,
  onSent: () => void,
): Promise<void> {
  const client = (await runner.connect()) as ClientBase;
  await pipeline(Readable.from(told(rows, onSent), { objectMode: false }), client.query(copyFrom(text)));
}

async function* told(rows: AsyncIterable<Buffer>, onSent: () => void): AsyncGenerator<Buffer> {
  for await (const piece of rows) {
    yield piece;
    onSent();
  }
}
