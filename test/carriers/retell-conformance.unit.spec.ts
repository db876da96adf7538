import { RetellCarrier } from '../../src/carriers/retell/retell.carrier.js';
import { RETELL_KEY } from '../../tools/fake-carriers/fake-retell.js';
import { describeConformance } from './conformance.js';
import { type WellBehaved } from './fault-server.js';
import { RETELL_SETTINGS, retellOptions } from './retell/retell-options.js';
import { standOf } from './stand.js';

const NO_CALL = { status: 422, body: { status: 'error', message: 'Cannot find requested asset.' } };

/** What Retell answers; it knows the calls that were dialed. */
function retellApi(): WellBehaved {
  const calls: Record<string, unknown>[] = [];
  return ({ method, path, body }) => {
    const id = path.split('/').at(-1);
    const known = calls.find(({ call_id }) => call_id === id);
    if (path === '/v2/create-phone-call') {
      const sent = JSON.parse(body) as Record<string, unknown>;
      const call = { ...sent, call_id: `call_${calls.length}`, call_status: 'registered' };
      calls.push(call);
      return { status: 201, body: call };
    }
    if (path === '/v2/list-calls') {
      const { filter_criteria: filter } = JSON.parse(body) as { filter_criteria: { to_number: unknown[] } };
      return { status: 200, body: calls.filter(({ to_number }) => filter.to_number.includes(to_number)) };
    }
    if (method === 'GET') return known ? { status: 200, body: known } : NO_CALL;
    if (method === 'DELETE') {
      if (known) calls.splice(calls.indexOf(known), 1);
      return known ? { status: 204, body: '' } : NO_CALL;
    }
    if (known === undefined || known.call_status === 'ended') return NO_CALL;
    known.call_status = 'ended';
    return { status: 204, body: '' };
  };
}

const SUBJECT = {
  isDial: ({ path }: { path: string }) => path === '/v2/create-phone-call',
  refusal: { status: 422, body: { status: 'error', message: 'The number +14155550100 is not valid' } },
  // Only Retell's own 401, in its form, says that nothing was dialed.
  unauthorized: 'unknown' as const,
  secrets: [RETELL_KEY],
  unknownCall: 'call_777',
  carrierSettings: RETELL_SETTINGS,
};

describeConformance('retell', () =>
  standOf({
    ...SUBJECT,
    wellBehaved: retellApi(),
    make: (url, timeoutMs) => new RetellCarrier(retellOptions(url, { timeoutMs })),
    // On a busy machine, a connection may take some hundred milliseconds.
    timeoutMs: 1_500,
  }),
);
