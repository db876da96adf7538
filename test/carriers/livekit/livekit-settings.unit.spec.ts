import { LiveKitCarrier } from '../../../src/carriers/livekit/livekit.carrier.js';
import { API_KEY, API_SECRET, FakeLiveKit, TRUNK } from '../../../tools/fake-carriers/fake-livekit.js';

const carrierOf = (
  options: { url?: string; apiSecret?: string; sipTrunkId?: string; agentName?: string } = {},
) =>
  new LiveKitCarrier({
    url: 'http://127.0.0.1:9',
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    callsPerSecond: 3,
    maxCallSeconds: 60,
    timeoutMs: 10_000,
    ...options,
  });

describe('an agent’s settings', () => {
  const complete = { sipTrunkId: 'ST_1', agentName: 'caller', ringingTimeoutSeconds: 30 };

  it('are complete on their own, or with the deployment’s', () => {
    expect(carrierOf().checkSettings(complete)).toBeNull();
    expect(carrierOf({ sipTrunkId: 'ST_1', agentName: 'caller' }).checkSettings({})).toBeNull();
    expect(carrierOf({ sipTrunkId: 'ST_1' }).checkSettings({ agentName: 'caller' })).toBeNull();
  });

  it.each([
    [
      { agentName: 'caller' },
      'carrierSettings.sipTrunkId is needed, because LIVEKIT_SIP_TRUNK_ID is not set',
    ],
    [{ sipTrunkId: 'ST_1' }, 'carrierSettings.agentName is needed, because LIVEKIT_AGENT_NAME is not set'],
    [{ ...complete, sipTrunkId: 3 }, 'carrierSettings.sipTrunkId must be'],
    [{ ...complete, sipTrunkId: '' }, 'carrierSettings.sipTrunkId must be'],
    [{ ...complete, agentName: null }, 'carrierSettings.agentName must be'],
    [{ ...complete, agentName: 'a\nb' }, 'carrierSettings.agentName must be'],
    [{ ...complete, ringingTimeoutSeconds: 0 }, 'carrierSettings.ringingTimeoutSeconds must be'],
    [{ ...complete, ringingTimeoutSeconds: 181 }, 'carrierSettings.ringingTimeoutSeconds must be'],
    [{ ...complete, ringingTimeoutSeconds: '30' }, 'carrierSettings.ringingTimeoutSeconds must be'],
    [{ ...complete, trunk: 'ST_1' }, 'carrierSettings has a field that livekit does not know'],
  ])('%j: %s', (settings, problem) => {
    expect(carrierOf().checkSettings(settings)).toContain(problem);
  });
});

describe('the check', () => {
  let livekit: FakeLiveKit;
  beforeEach(async () => {
    livekit = await new FakeLiveKit().listen();
  });
  afterEach(() => livekit.close());
  const { signal } = new AbortController();
  const check = (numbers: string[], options = {}) =>
    carrierOf({ url: livekit.url, sipTrunkId: TRUNK, ...options }).check(numbers, signal);

  it('passes for credentials, trunk and number, and dials no number', async () => {
    expect(await check(['+14155550199'])).toEqual({
      ok: true,
      items: [
        { what: 'credentials', ok: true, detail: 'LiveKit takes them' },
        { what: `trunk ${TRUNK}`, ok: true, detail: 'it has 1 number(s)' },
        { what: '+14155550199', ok: true, detail: 'the trunk has it' },
      ],
    });
    expect(livekit.requests.map(({ method }) => method)).toEqual(['ListRooms', 'ListSIPOutboundTrunk']);
  });

  it('names the number that the trunk lacks', async () => {
    const { ok, items } = await check(['+14155550199', '+14155550198']);
    expect([ok, items.at(-1)]).toEqual([
      false,
      { what: '+14155550198', ok: false, detail: 'the trunk does not have it' },
    ]);
  });

  it.each([[[]], [['*']]])('accepts any number for a trunk with the numbers %j', async (numbers) => {
    livekit.trunks[0]!.numbers = numbers;
    expect((await check(['+14155550198'])).items.at(-1)).toMatchObject({ ok: true });
  });

  it('reports a missing trunk', async () => {
    expect(await check(['+14155550199'], { sipTrunkId: 'ST_other' })).toMatchObject({
      ok: false,
      items: [
        { ok: true },
        { what: 'trunk ST_other', ok: false, detail: 'LiveKit has no such outbound trunk' },
      ],
    });
  });

  it('reports a wrong secret, and sends no further request', async () => {
    const answer = await check([], { apiSecret: 'another-secret-of-32-characters-or-more' });
    expect(answer).toEqual({
      ok: false,
      items: [
        { what: 'credentials', ok: false, detail: 'LiveKit does not take the API key and secret (401)' },
      ],
    });
  });

  it('reports an unreachable server', async () => {
    expect((await carrierOf().check([], signal)).items).toEqual([
      { what: 'credentials', ok: false, detail: 'LiveKit cannot be reached (carrier_unreachable)' },
    ]);
  });

  it('skips the trunk if each agent names its own', async () => {
    expect((await check(['+14155550199'], { sipTrunkId: undefined })).items).toHaveLength(2);
  });
});
