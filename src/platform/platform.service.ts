import { Injectable } from '@nestjs/common';
import { DataSource, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { changesBetween, type ZoneChange } from '../domain/zones/changes.js';
import { type PackedZones } from '../domain/zones/packed-zones.js';
import { zoneData } from '../domain/zones/time-zone.js';
import { ZoneData } from '../domain/zones/zone-data.js';
import { sentFields } from '../lists/rows.js';
import {
  platformColumns,
  type PlatformResource,
  platformResource,
  type UpdatePlatform,
} from './platform.dto.js';
import { PlatformSettings } from './platform-settings.entity.js';

const DAY_MS = 86_400_000;

interface ZonesRow {
  version: string | null;
  since: Date | null;
  data: string | null;
  before: string | null;
  data_before: string | null;
}

/** The zone data of the deployment. */
export interface ZonesResource {
  /** The version of this process. */
  version: string;
  /** The newest version that an API or a worker has had; null before their first start. */
  inForce: string | null;
  inForceSince: string | null;
  /** The version in force before. */
  before: string | null;
  /** The zones that the version in force changed, within two years. */
  changed: ZoneChange[];
}

/** Settings of the whole deployment. */
@Injectable()
export class PlatformService {
  private readonly settings: Repository<PlatformSettings>;

  constructor(private readonly dataSource: DataSource) {
    this.settings = dataSource.getRepository(PlatformSettings);
  }

  async get(): Promise<PlatformResource> {
    return platformResource(await this.settings.findOneByOrFail({ id: true }));
  }

  /**
   * The zone data of this process and those in force, and what the ones in force changed from a month ago on.
   */
  async zones(): Promise<ZonesResource> {
    const [row] = await this.dataSource.query<ZonesRow[]>(
      `SELECT zone_data_version AS version, zone_data_since AS since, zone_data AS data,
         zone_data_version_before AS before, zone_data_before AS data_before FROM platform_settings`,
    );
    const now = Date.now();
    const dataOf = (packed: string) => new ZoneData(JSON.parse(packed) as PackedZones);
    const isChanged = row?.data != null && row.data_before != null;
    return {
      version: zoneData().version,
      inForce: row?.version ?? null,
      inForceSince: row?.since?.toISOString() ?? null,
      before: row?.before ?? null,
      changed: isChanged
        ? changesBetween(dataOf(row.data_before!), dataOf(row.data!), now - 30 * DAY_MS, now + 730 * DAY_MS)
        : [],
    };
  }

  /** Changes the fields that were sent. The days apply to every team without days of its own. */
  async update(fields: UpdatePlatform): Promise<PlatformResource> {
    const columns = sentFields(platformColumns(fields));
    if (Object.keys(columns).length > 0) await this.set(columns);
    return this.get();
  }

  /**
   * While the platform is paused, no call is dialed for any team; requests are still accepted.
   * `ResumeService` ends the pause.
   */
  async pause(): Promise<{ paused: boolean }> {
    await this.set({ paused: true });
    return { paused: true };
  }

  private async set(columns: QueryDeepPartialEntity<PlatformSettings>): Promise<void> {
    await this.dataSource.transaction((manager) => manager.update(PlatformSettings, { id: true }, columns));
  }

  /** The deployment's clock and pause, read together. */
  async state(): Promise<{ now: Date; paused: boolean }> {
    const [state] = await this.dataSource.query<{ now: Date; paused: boolean }[]>(
      'SELECT outdial_now() AS now, paused FROM platform_settings',
    );
    return { now: state?.now ?? new Date(), paused: state?.paused ?? false };
  }
}
