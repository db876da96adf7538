import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type PageElement } from '../../http/html-page.js';
import { HealthService } from '../../operations/health.service.js';
import { ResumeService } from '../../restore/resume.service.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type SweeperRow, SWEEPERS } from '../overview/overview.sql.js';
import { ZONE_DATA, type ZoneDataInForceRow } from '../overview/zone-data.view.js';
import { healthPage } from './health.view.js';

/** Whether the deployment does its work. */
@Injectable()
export class HealthPageService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly health: HealthService,
    private readonly resumes: ResumeService,
  ) {}

  async page(request: PageRequest): Promise<PageElement> {
    const [frame, readiness, sweepers, [zoneData], restore] = await Promise.all([
      this.frames.of(request),
      this.health.readiness(),
      this.dataSource.query<SweeperRow[]>(SWEEPERS),
      this.dataSource.query<ZoneDataInForceRow[]>(ZONE_DATA),
      this.resumes.restore(),
    ]);
    return healthPage(frame, { readiness, sweepers, zoneData, restore });
  }
}
