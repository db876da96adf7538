import { Module } from '@nestjs/common';
import { PlatformService } from './platform.service.js';

/**
 * The platform's settings. In come operators' changes, such as a pause; out go the settings, which every
 * firing reads. Table: `platform_settings`.
 */
@Module({ providers: [PlatformService], exports: [PlatformService] })
export class PlatformModule {}
