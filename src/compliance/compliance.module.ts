import { Global, type INestApplicationContext, Module } from '@nestjs/common';
import { PackIndex } from '../domain/compliance/pack-index.js';
import { PackVersions } from './pack-versions.service.js';
import { PacksModule } from './packs/packs.module.js';
import { Packs } from './packs/packs.service.js';
import { ZoneDataVersions } from './zone-data-versions.service.js';

/**
 * Lawful calling. In come the packs of the process; out goes what selects the rules of calls. Tables:
 * `pack_versions`, `zone_data_versions`. Global, because everything that decides about calls judges by packs.
 */
@Global()
@Module({
  imports: [PacksModule],
  providers: [
    { provide: PackIndex, inject: [Packs], useFactory: (packs: Packs) => new PackIndex(packs) },
    PackVersions,
    ZoneDataVersions,
  ],
  exports: [PackIndex, PackVersions, ZoneDataVersions, PacksModule],
})
export class ComplianceModule {
  /**
   * Keeps the packs and the zone data of the process, by which kept decisions are judged again.
   *
   * @throws the database's error.
   */
  static async keepVersions(app: INestApplicationContext): Promise<void> {
    await app.get(PackVersions).keep();
    await app.get(ZoneDataVersions).keep();
  }
}
