import { Injectable } from '@nestjs/common';
import { DataSource, type Repository } from 'typeorm';
import { type Page, type PageRequest } from '../http/page.js';
import { pageByCreation } from '../lists/keyset.js';
import { TeamsService } from '../teams/teams.service.js';
import { PlatformErasure } from './platform-erasure.entity.js';

/** A call of an erased person that is still to be erased at its platform. */
export interface PlatformErasureResource {
  /** The call. */
  callId: string;
  carrier: string;
  carrierCallId: string | null;
  attempts: number;
  reason: string | null;
  dueAt: string;
  createdAt: string;
}

/** Lists what is still to be erased at platforms. */
@Injectable()
export class PlatformErasuresService {
  private readonly erasures: Repository<PlatformErasure>;

  constructor(
    dataSource: DataSource,
    private readonly teams: TeamsService,
  ) {
    this.erasures = dataSource.getRepository(PlatformErasure);
  }

  /** @throws AppError `NOT_FOUND` for the team. */
  async list(teamId: string, request: PageRequest): Promise<Page<PlatformErasureResource>> {
    await this.teams.find(teamId);
    const query = this.erasures.createQueryBuilder('e').where({ teamId });
    return pageByCreation(query, request, resource);
  }
}

function resource(erasure: PlatformErasure): PlatformErasureResource {
  const { id, carrier, carrierCallId, attempts, reason, dueAt, createdAt } = erasure;
  return {
    callId: id,
    carrier,
    carrierCallId,
    attempts,
    reason,
    dueAt: dueAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}
