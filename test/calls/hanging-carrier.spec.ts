import { MAX_IN_PROGRESS } from '../../src/calls/recovery/look-ups.js';
import { ASK_BATCH } from '../../src/calls/recovery/reconciliation.service.js';
import { countingServer, HTTP_SECRET } from '../carriers/support.js';
import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { buildStoredCall } from '../support/number-history.js';

const LONG_AGO = () => new Date(Date.now() - 3_600_000);

/** With a carrier that may take longer to answer than a test lasts. */
function startWithHttpCarrier(url: string): Promise<Calling> {
  return Calling.start({
    httpCarrierUrl: url,
    httpCarrierSecret: HTTP_SECRET,
    httpCarrierAllowPrivate: true,
    httpCarrierTimeoutMs: 60_000,
    publicUrl: 'http://127.0.0.1:1',
  });
}

/** A row of a claimed call without an outcome, since an instant. */
const unknownSince = (since: Date, carrier: string, { callerNumber }: Caller) => ({
  status: 'dial_unknown',
  carrier,
  caller_id: callerNumber,
  claimed_at: since,
  processed_at: since,
  woken_at: since,
});

describe('a carrier that hangs', () => {
  test('delays its own look-ups only', async () => {
    const hanging = await countingServer(() => undefined);
    const calling = await startWithHttpCarrier(hanging.url);
    try {
      const caller = await buildCaller(calling.db, {}, { carrier: 'http' });
      const unknown = (carrier: string) =>
        buildStoredCall(calling.db, caller, nextNumber(), unknownSince(LONG_AGO(), carrier, caller));
      await unknown('http');
      await calling.startWorker();
      await eventually(
        () => Promise.resolve(hanging.seen.requests),
        (requests) => requests >= 1,
      );
      // From here on its look-up is under way, for longer than this test lasts.
      const expired = await buildStoredCall(calling.db, caller, nextNumber(), { expires_at: LONG_AGO() });
      const silent = await buildStoredCall(calling.db, caller, nextNumber(), {
        status: 'in_progress',
        carrier: 'simulator',
        caller_id: caller.callerNumber,
        claimed_at: new Date(Date.now() - 86_400_000),
        processed_at: LONG_AGO(),
      });
      const other = await unknown('simulator');
      const open = await buildCaller(calling.db);
      const { id: lost } = await buildStoredCall(calling.db, open, nextNumber(), {
        runs_at: LONG_AGO(),
        woken_at: LONG_AGO(),
        expires_at: new Date(Date.now() + 3_600_000),
      });
      await calling.until(caller, expired.id, 'expired');
      await calling.until(caller, silent.id, 'dial_unknown');
      await calling.until(open, lost, 'completed');
      await eventually(
        () => calling.row(other.id),
        ({ wakes }) => (wakes as number) > 0,
      );
    } finally {
      // Its look-up ends with its connection, and the worker with its look-up.
      await hanging.close();
      await calling.close();
    }
  });
});

test('a host of one agent that hangs delays its own look-ups only', async () => {
  const hanging = await countingServer(() => undefined);
  const answering = await countingServer((socket) =>
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'),
  );
  const calling = await startWithHttpCarrier(hanging.url);
  try {
    const unknownCalls = async (url: string, count: number, since: Date) => {
      const caller = await buildCaller(calling.db, {}, { carrier: 'http', carrier_settings: { url } });
      for (let n = 0; n < count; n += 1) {
        await buildStoredCall(calling.db, caller, nextNumber(), unknownSince(since, 'http', caller));
      }
    };
    // The first to be asked about, and more of them than a run asks about.
    await unknownCalls(hanging.url, 2 * ASK_BATCH, new Date(Date.now() - 7_200_000));
    await unknownCalls(answering.url, 1, LONG_AGO());
    await calling.startWorker();
    await eventually(
      () => Promise.resolve(answering.seen.requests),
      (requests) => requests >= 1,
    );
    expect(hanging.seen.requests).toBeLessThanOrEqual(MAX_IN_PROGRESS);
  } finally {
    await Promise.all([hanging.close(), answering.close()]);
    await calling.close();
  }
}, 40_000);
