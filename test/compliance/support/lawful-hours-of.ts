import { complianceCaseOf } from '../../../src/domain/compliance/compliance-case.js';
import { type LawfulHours } from '../../../src/domain/compliance/lawful-hours.js';
import { PackIndex } from '../../../src/domain/compliance/pack-index.js';
import { complianceFacts, ENFORCED } from '../../domain/support/compliance.js';
import { type HoursOfPack } from '../cases/hours-of-packs.js';
import { SHIPPED } from './shipped-packs.js';

const INDEX = new PackIndex(SHIPPED);

/** What narrows when the person may be called, for a team that enforces the packs of the release. */
export function lawfulHoursOf({
  country,
  regions = [],
  zones,
  purpose = 'marketing',
  voice = 'ai',
}: HoursOfPack): readonly LawfulHours[] {
  const setting = { ...ENFORCED, purpose, voice };
  const place = { zones, source: 'stated' as const, country, regions };
  const one = complianceCaseOf(complianceFacts({ setting, place }), INDEX);
  if (one === null) throw new Error('the mode is off');
  return one.lawfulHours;
}
