import { Injectable, Logger } from '@nestjs/common';
import { isOlderSchema } from '../database/database-errors.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { type PackedZones } from '../domain/zones/packed-zones.js';
import { zoneData } from '../domain/zones/time-zone.js';
import { ZoneData } from '../domain/zones/zone-data.js';

/** $1 version. */
const IS_KEPT: Statement = {
  name: 'is_zone_data_kept',
  text: 'SELECT FROM zone_data_versions WHERE version = $1',
};

/** $1 version, $2 content. */
const KEEP: Statement = {
  name: 'keep_zone_data',
  text: 'INSERT INTO zone_data_versions (version, content) VALUES ($1, $2) ON CONFLICT DO NOTHING',
};

/** $1 version. */
const FIND: Statement = {
  name: 'zone_data_version_kept',
  text: 'SELECT content FROM zone_data_versions WHERE version = $1',
};

/** The versions of the zone data that decided something. They are never removed, like those of packs. */
@Injectable()
export class ZoneDataVersions {
  private readonly logger = new Logger('ZoneData');

  constructor(private readonly transactions: Transactions) {}

  /**
   * Keeps the zone data of this process. To be called at its start. If the migrations have not run, which readiness
   * reports, nothing is kept.
   */
  async keep(): Promise<void> {
    const { version, data } = zoneData();
    try {
      const kept = await this.transactions.read(query(IS_KEPT, version));
      if (kept.length > 0) return;
      const content = JSON.stringify({ version, zones: data.zones, links: data.links });
      await this.transactions.autocommit(query(KEEP, version, content));
    } catch (error) {
      if (!isOlderSchema(error)) throw error;
      this.logger.warn('the version of the zone data is not kept: the migrations have not run');
    }
  }

  /** The zone data of a version; null if neither this process has it nor it was kept. */
  async find(version: string): Promise<ZoneData | null> {
    if (version === zoneData().version) return zoneData();
    const [row] = await this.transactions.read<{ content: string }>(query(FIND, version));
    return row === undefined ? null : new ZoneData(JSON.parse(row.content) as PackedZones);
  }
}
