import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PlatformSettings } from './platform-settings.entity.js';

/** Settings of the whole deployment. */
@Injectable()
export class PlatformService {
  constructor(private readonly dataSource: DataSource) {}

  /** While the platform is paused, no call is dialed for any team; requests are still accepted. */
  async setPaused(paused: boolean): Promise<{ paused: boolean }> {
    await this.dataSource.getRepository(PlatformSettings).update({ id: true }, { paused });
    return { paused };
  }

  /** The deployment's clock and pause, read together. */
  async state(): Promise<{ now: Date; paused: boolean }> {
    const [state] = await this.dataSource.query<{ now: Date; paused: boolean }[]>(
      'SELECT outdial_now() AS now, paused FROM platform_settings',
    );
    return { now: state?.now ?? new Date(), paused: state?.paused ?? false };
  }
}
