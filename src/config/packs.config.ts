import { Expose } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';

const IDS = /^\s*[a-z0-9]+(?:-[a-z0-9]+)*\s*(?:,\s*[a-z0-9]+(?:-[a-z0-9]+)*\s*)*$/;

/** Which rules of law the process knows beside those of the release. */
export class PacksConfig {
  /** A directory with packs of the operator, which are validated at the start. */
  @Expose({ name: 'PACKS_DIR' })
  @IsOptional()
  @Matches(/^\//, { message: 'must be an absolute path' })
  packsDir?: string;

  /** Ids of rules of medium or low confidence that count as sure, with commas between. */
  @Expose({ name: 'PACKS_RAISE' })
  @IsOptional()
  @Matches(IDS, { message: 'must be ids of rules with commas between, such as us-ky-hours' })
  packsRaise?: string;
}
