import { Injectable, Logger } from '@nestjs/common';
import { isOlderSchema } from '../database/database-errors.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { type Pack } from '../domain/compliance/pack.js';
import { packOfContent } from './packs/pack-content.js';
import { Packs } from './packs/packs.service.js';

/** $1 names, $2 versions, $3 contents. */
const KEEP: Statement = {
  name: 'keep_pack_versions',
  text: `
    INSERT INTO pack_versions (pack, version, content)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
    ORDER BY 1
    ON CONFLICT DO NOTHING`,
};

/** $1 names, $2 versions. */
const FIND: Statement = {
  name: 'pack_versions',
  text: `
    SELECT p.content FROM unnest($1::text[], $2::text[]) AS asked (pack, version)
    JOIN pack_versions p ON p.pack = asked.pack AND p.version = asked.version`,
};

/** The versions of packs that decided something. They are never removed, so that every kept decision can be judged again. */
@Injectable()
export class PackVersions {
  private readonly logger = new Logger('Packs');

  constructor(
    private readonly packs: Packs,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Keeps the packs of this process. To be called at its start. If the migrations have not run, which readiness reports,
   * nothing is kept.
   */
  async keep(): Promise<void> {
    const { all } = this.packs;
    const contents = all.map((pack) => this.packs.contentOf(pack));
    const names = all.map(({ pack }) => pack);
    const versions = all.map(({ version }) => version);
    try {
      await this.transactions.autocommit(query(KEEP, names, versions, contents));
    } catch (error) {
      if (!isOlderSchema(error)) throw error;
      this.logger.warn('the versions of the packs are not kept: the migrations have not run');
    }
  }

  /**
   * The packs of these versions, by name. A version that neither this process has nor was kept is left out.
   *
   * @param versions by the names of the packs.
   */
  async find(versions: Readonly<Record<string, string>>): Promise<Pack[]> {
    const own = Object.entries(versions).flatMap(([name, version]) => {
      const pack = this.packs.get(name);
      return pack?.version === version ? [pack] : [];
    });
    const known = new Set(own.map(({ pack }) => pack));
    const others = Object.entries(versions).filter(([name]) => !known.has(name));
    if (others.length === 0) return own;
    const names = others.map(([name]) => name);
    const rows = await this.transactions.read<{ content: string }>(
      query(
        FIND,
        names,
        others.map(([, version]) => version),
      ),
    );
    return [...own, ...rows.map(({ content }) => packOfContent(content))];
  }
}
