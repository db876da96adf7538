import { CarrierReportsService } from '../../../src/calls/reports/carrier-reports.service.js';
import { type Calling } from '../../support/calling.js';

/** The carrier reports that the only dial of a number is completed. */
export async function reportEnd(calling: Calling, to: string): Promise<void> {
  const dials = calling.dials(to);
  expect(dials).toHaveLength(1);
  const { callRequestId, carrierCallId } = dials[0]!;
  const event = { callRequestId, carrierCallId, status: 'completed', at: new Date() } as const;
  const reports = calling.api.get(CarrierReportsService, { strict: false });
  expect(await reports.record('simulator', event)).toBe('changed');
}
