import { Module } from '@nestjs/common';
import { PlatformService } from './platform.service.js';

/** The platform's pause, set by operators and read by every firing. Table: `platform_settings`. */
@Module({ providers: [PlatformService], exports: [PlatformService] })
export class PlatformModule {}
