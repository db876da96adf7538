import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CarrierCheckService, type CarrierReport } from '../../carriers/carrier-check.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { type PageRequest } from '../frame/form.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type PlatformCarrier, platformCarriersPage } from './carriers.view.js';
import { ENDED_OF_CARRIERS, type EndedOfCarrierRow } from './teams.sql.js';

const HOUR_MS = 3_600_000;

/** The carriers of the deployment, what came of their calls, and their checks. */
@Injectable()
export class PlatformCarriersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly frames: PageFrame,
    private readonly carriers: CarrierRegistry,
    private readonly checks: CarrierCheckService,
    private readonly numbers: PhoneNumbersService,
  ) {}

  page(request: PageRequest): Promise<PageElement> {
    return this.show(request, null);
  }

  /** Checks a carrier with all numbers, without a call. @throws AppError `NOT_FOUND` for an unknown name. */
  async check(request: PageRequest, name: string): Promise<PageElement> {
    const known = CARRIER_NAMES.find((one) => one === name);
    if (known === undefined) throw notFound('Carrier');
    return this.show(request, await this.checks.check(known, await this.numbers.outboundNumbers(), true));
  }

  private async show(request: PageRequest, report: CarrierReport | null): Promise<PageElement> {
    const frame = await this.frames.of(request);
    const since = new Date(frame.now.getTime() - HOUR_MS);
    const ended = await this.dataSource.query<EndedOfCarrierRow[]>(ENDED_OF_CARRIERS, [since]);
    const carriers = CARRIER_NAMES.map((name): PlatformCarrier => {
      const carrier = this.carriers.get(name);
      return {
        name,
        isDefault: name === this.carriers.defaultName,
        configured: carrier !== undefined,
        callsPerSecond: carrier?.callsPerSecond ?? null,
        timeoutMs: carrier?.timeoutMs ?? null,
        warning: carrier?.banner ?? null,
        missing: carrier === undefined ? this.checks.missing(name) : [],
        ended: ended.filter((row) => row.carrier === name),
      };
    });
    carriers.sort((a, b) => Number(b.configured) - Number(a.configured));
    return platformCarriersPage(frame, { carriers, report });
  }
}
