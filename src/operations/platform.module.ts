import { Module } from '@nestjs/common';
import { PlatformService } from './platform.service.js';

@Module({ providers: [PlatformService], exports: [PlatformService] })
export class PlatformModule {}
