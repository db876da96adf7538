import { VapiCarrier } from '../../src/carriers/vapi/vapi.carrier.js';
import { VAPI_KEY } from '../../tools/fake-carriers/fake-vapi.js';
import { describeConformance } from './conformance.js';
import { type WellBehaved } from './fault-server.js';
import { standOf } from './stand.js';
import { aDial } from './support.js';
import { VAPI_SETTINGS, vapiOptions } from './vapi/vapi-options.js';

const error = (statusCode: number, message: string) => ({
  status: statusCode,
  body: { message, error: 'Refused', statusCode },
});

/** What Vapi answers; it knows the calls that were dialed. */
function vapiApi(): WellBehaved {
  const calls: Record<string, unknown>[] = [];
  return ({ method, path, body, headers }) => {
    const [, kind, id] = new URL(path, 'http://vapi').pathname.split('/');
    if (kind === 'phone-number') return { status: 200, body: [{ id: 'number-1', number: aDial().from }] };
    const known = calls.find((call) => call.id === id);
    if (method === 'POST' && id === undefined) {
      const sent = JSON.parse(body) as Record<string, unknown>;
      const call = {
        ...sent,
        id: `call-${calls.length}`,
        status: 'queued',
        createdAt: new Date().toISOString(),
        monitor: { controlUrl: `http://${headers.host}/call/call-${calls.length}/control` },
      };
      calls.push(call);
      return { status: 201, body: call };
    }
    if (id === undefined) return { status: 200, body: calls };
    if (known === undefined) return error(404, 'Call not found');
    if (method === 'GET') return { status: 200, body: known };
    if (method === 'DELETE') {
      calls.splice(calls.indexOf(known), 1);
      return { status: 200, body: known };
    }
    known.status = 'ended';
    return { status: 200, body: { success: true } };
  };
}

const subject = () => ({
  isDial: ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/call',
  refusal: error(400, 'customer.number +14155550100 must be a valid phone number'),
  // Only Vapi's own 401, in its form, says that nothing was dialed.
  unauthorized: 'unknown' as const,
  secrets: [VAPI_KEY],
  unknownCall: 'call-777',
  wellBehaved: vapiApi(),
  make: (url: string, timeoutMs: number) => new VapiCarrier(vapiOptions(url, { timeoutMs })),
  // On a busy machine, a connection may take some hundred milliseconds.
  timeoutMs: 2_500,
});

describeConformance('vapi', () => standOf({ ...subject(), carrierSettings: VAPI_SETTINGS }));

describeConformance('vapi with ids of numbers in the settings', () =>
  standOf({
    ...subject(),
    carrierSettings: { ...VAPI_SETTINGS, phoneNumberIds: { [aDial().from]: 'number-1' } },
  }),
);
