import { Injectable } from '@nestjs/common';
import { PackVersions } from '../../compliance/pack-versions.service.js';
import { Packs } from '../../compliance/packs/packs.service.js';
import { ZoneDataVersions } from '../../compliance/zone-data-versions.service.js';
import { replayOf, type RuleDifference } from '../../domain/compliance/replay.js';
import { decisionsOf } from '../../domain/narrator/record.js';
import { zoneData } from '../../domain/zones/time-zone.js';
import { CallsAdminService } from './calls-admin.service.js';

/** A decision about a call that packs judged, and the same decision judged again. */
export interface ReplayedDecision {
  /** ISO 8601, UTC. */
  at: string;
  /** The versions of the zone data: of the decision, and of this process. `missing`: that of the decision is not kept. */
  tzdata: { kept: string; now: string; missing: boolean };
  /** The packs whose versions are not kept, so that their rules cannot be judged again. */
  missing: string[];
  /** Null: the facts were erased with the contact. */
  same: boolean | null;
  differences: readonly RuleDifference[];
  /** Where the packs and the zone data of this process would decide otherwise. */
  today: readonly RuleDifference[];
}

/** Judges kept decisions again, from their stored facts and by the packs and the zone data of their date. Writes nothing. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly calls: CallsAdminService,
    private readonly packs: Packs,
    private readonly versions: PackVersions,
    private readonly zoneVersions: ZoneDataVersions,
  ) {}

  /** Every decision about the call that packs judged, the oldest first. @throws AppError `NOT_FOUND`. */
  async of(teamId: string, id: string): Promise<ReplayedDecision[]> {
    const replayed: ReplayedDecision[] = [];
    for (const { at, compliance } of decisionsOf(await this.calls.storedDecisions(teamId, id))) {
      if (compliance === undefined) continue;
      const found = await this.versions.find(compliance.packs);
      const known = new Set(found.map(({ pack }) => pack));
      const zones = await this.zoneVersions.find(compliance.tzdata);
      const result = replayOf(
        compliance,
        new Date(at),
        { packs: new Packs(() => found), zones: zones ?? zoneData() },
        { packs: this.packs, zones: zoneData() },
      );
      replayed.push({
        at,
        tzdata: { kept: compliance.tzdata, now: zoneData().version, missing: zones === null },
        missing: Object.keys(compliance.packs).filter((pack) => !known.has(pack)),
        same: result === null ? null : result.differences.length === 0,
        differences: result?.differences ?? [],
        today: result?.today ?? [],
      });
    }
    return replayed;
  }
}
