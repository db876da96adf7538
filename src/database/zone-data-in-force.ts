import { Injectable, Logger } from '@nestjs/common';
import { isOlderVersion, zoneData } from '../domain/zones/time-zone.js';
import { isOlderSchema } from './database-errors.js';
import { query, type Statement, Transactions } from './transactions.js';

const ADVANCE: Statement = {
  name: 'advance_zone_data',
  text: 'SELECT advance_zone_data($1, $2) AS advanced',
};
const VERSION_IN_FORCE: Statement = {
  name: 'zone_data_version',
  text: 'SELECT zone_data_version AS version FROM platform_settings',
};

/** How old the version that a process knows may be, in milliseconds. */
const MAX_AGE_MS = 1_000;

/**
 * The version of the zone data in force, which stands in Postgres and only goes forward. A process with older
 * data dials nothing, so that a rolling update does not call people by two clocks.
 */
@Injectable()
export class ZoneDataInForce {
  private readonly logger = new Logger('ZoneData');
  private known: { version: string | null; at: number } | undefined;
  private isToldOf: string | undefined;
  private waitsForMigrations = false;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Puts this process's data in force if they are newer. To be called once, at the start of a process. If the
   * migrations have not run, which readiness reports, the data come into force after them.
   */
  async advance(): Promise<void> {
    try {
      await this.putInForce();
      this.waitsForMigrations = false;
    } catch (error) {
      if (!isOlderSchema(error)) throw error;
      this.waitsForMigrations = true;
    }
  }

  private async putInForce(): Promise<void> {
    const { version, data } = zoneData();
    if ((await this.version()) === version) return;
    const packed = JSON.stringify({ version, zones: data.zones, links: data.links });
    const [row] = await this.transactions.autocommit<{ advanced: boolean }>(query(ADVANCE, version, packed));
    if (row?.advanced === true) this.logger.log(`the zone data ${version} are in force`);
    this.known = undefined;
  }

  /** Null until the first process of this release has started. */
  async version(): Promise<string | null> {
    const now = performance.now();
    if (this.known === undefined || now - this.known.at > MAX_AGE_MS) {
      const [row] = await this.transactions.read<{ version: string | null }>(query(VERSION_IN_FORCE));
      this.known = { version: row?.version ?? null, at: now };
    }
    return this.known.version;
  }

  /** Why this process dials nothing; null if its data are in force. */
  async fault(): Promise<string | null> {
    if (this.waitsForMigrations) await this.advance();
    const version = await this.version();
    const own = zoneData().version;
    if (version === null || !isOlderVersion(own, version)) return null;
    const fault = `dials nothing: its zone data ${own} are older than ${version}, which are in force`;
    if (this.isToldOf !== version) this.logger.error(`this process ${fault}`);
    this.isToldOf = version;
    return fault;
  }
}
