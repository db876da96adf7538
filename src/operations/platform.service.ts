import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PlatformSettings } from './platform-settings.entity.js';

/** Settings of the whole deployment. */
@Injectable()
export class PlatformService {
  constructor(private readonly dataSource: DataSource) {}

  /** While the platform is paused, nobody is dialed for any team; requests are accepted all the same. */
  async setPaused(paused: boolean): Promise<{ paused: boolean }> {
    await this.dataSource.getRepository(PlatformSettings).update({ id: true }, { paused });
    return { paused };
  }

  async isPaused(): Promise<boolean> {
    const settings = await this.dataSource.getRepository(PlatformSettings).findOneByOrFail({ id: true });
    return settings.paused;
  }
}
