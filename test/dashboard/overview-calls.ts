import { type DataSource } from 'typeorm';
import { expiryOf } from '../../src/domain/expiry.js';
import { nextNumber, type Row } from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';

/** Builders of calls for the overview. @param acceptedAt of pending calls. */
export function buildersOfOverview(db: () => DataSource, acceptedAt: Date) {
  return {
    /** A pending call that is to run at this instant. @returns its number. */
    pending: async (caller: Caller, runsAt: Date, row: Row = {}): Promise<string> => {
      const phoneNumber = nextNumber();
      await buildStoredCall(db(), caller, phoneNumber, {
        accepted_at: acceptedAt,
        runs_at: runsAt,
        woken_at: runsAt,
        expires_at: expiryOf(runsAt),
        ...row,
      });
      return phoneNumber;
    },

    /** A call that ended. */
    ended: (caller: Caller, status: string, endedAt: Date, row: Row = {}) => {
      const claim = { claimed_at: endedAt, processed_at: endedAt, caller_id: '+14155550100' };
      const dialed = ['blocked', 'expired', 'canceled'].includes(status) ? {} : claim;
      return buildStoredCall(db(), caller, nextNumber(), { status, ended_at: endedAt, ...dialed, ...row });
    },
  };
}
