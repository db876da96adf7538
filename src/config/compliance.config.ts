import { Expose } from 'class-transformer';
import { IsIn } from 'class-validator';

/** As of the setting of a team. */
const MODES = ['off', 'warn', 'enforce'] as const;

/** What new teams have of lawful calling. */
export class ComplianceConfig {
  /** The mode of a new team whose request names none. */
  @Expose({ name: 'COMPLIANCE_DEFAULT_MODE' })
  @IsIn(MODES, { message: `must be one of ${MODES.join(', ')}` })
  complianceDefaultMode: (typeof MODES)[number] = 'warn';
}
