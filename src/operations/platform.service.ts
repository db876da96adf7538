import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { sentFields } from '../lists/rows.js';
import {
  platformColumns,
  type PlatformResource,
  platformResource,
  type UpdatePlatform,
} from './platform.dto.js';
import { PlatformSettings } from './platform-settings.entity.js';

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

  /** Changes the fields that were sent. The days apply to every team without days of its own. */
  async update(fields: UpdatePlatform): Promise<PlatformResource> {
    const columns = sentFields(platformColumns(fields));
    if (Object.keys(columns).length > 0) await this.settings.update({ id: true }, columns);
    return this.get();
  }

  /**
   * While the platform is paused, no call is dialed for any team; requests are still accepted.
   * `ResumeService` ends the pause.
   */
  async pause(): Promise<{ paused: boolean }> {
    await this.settings.update({ id: true }, { paused: true });
    return { paused: true };
  }

  /** The deployment's clock and pause, read together. */
  async state(): Promise<{ now: Date; paused: boolean }> {
    const [state] = await this.dataSource.query<{ now: Date; paused: boolean }[]>(
      'SELECT outdial_now() AS now, paused FROM platform_settings',
    );
    return { now: state?.now ?? new Date(), paused: state?.paused ?? false };
  }
}
