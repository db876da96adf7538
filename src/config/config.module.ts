import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Config } from './config.js';

/**
 * The configuration, injectable everywhere. In comes the environment, which `configuration.ts` has validated;
 * out goes one {@link Config} that does not change. No tables.
 */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: Config, useValue: config }], exports: [Config] };
  }
}
