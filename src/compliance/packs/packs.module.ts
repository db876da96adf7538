import { Module } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { loadPacks, type PackSettings } from './load-packs.js';
import { Packs } from './packs.service.js';

const known = new WeakMap<PackSettings, Packs>();

/**
 * The packs of rules of law. In come YAML files of the release and of `PACKS_DIR`, read once; out goes {@link Packs}. No
 * tables.
 */
@Module({
  providers: [{ provide: Packs, inject: [Config], useFactory: packsOf }],
  exports: [Packs],
})
export class PacksModule {
  /**
   * Reads the packs at the start of a process, before it connects to anything.
   *
   * @throws ConfigError naming what is wrong: variable, file, rule, field.
   */
  static read(config: Config): void {
    packsOf(config).load();
  }
}

/** Of one configuration they are read once. */
function packsOf(config: Config): Packs {
  const packs = known.get(config) ?? new Packs(() => loadPacks(config));
  known.set(config, packs);
  return packs;
}
