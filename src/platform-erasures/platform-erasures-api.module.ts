import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { PlatformErasuresService } from './platform-erasures.service.js';

/** Lists what is still to be erased at platforms, for operators. Table: `platform_erasures`. */
@Module({
  imports: [TeamsModule],
  providers: [PlatformErasuresService],
  exports: [PlatformErasuresService],
})
export class PlatformErasuresApiModule {}
