import { SipClient } from 'livekit-server-sdk';
import { aDial } from '../support.js';
import {
  API_KEY,
  API_SECRET,
  FakeLiveKit,
  type Fault,
  TRUNK,
} from '../../../tools/fake-carriers/fake-livekit.js';
import { answers, carrierAt } from './support.js';

// Why the SDK's requests go another way here: its own sends some of them again, with failover off and no word
// of it. Where this fails, the SDK has been mended, and `OnceRpc` may not be needed any more.
describe('a dial that is answered', () => {
  let livekit: FakeLiveKit;
  beforeEach(async () => {
    livekit = await new FakeLiveKit().listen();
  });
  afterEach(() => livekit.close());

  const redirect: Fault = (response, { url }) =>
    livekit.count('CreateSIPParticipant') < 3
      ? response.writeHead(307, { location: url }).end()
      : response.writeHead(500).end();

  it.each([
    ['307', redirect, 3],
    ['421', answers(421), 2],
  ])('the SDK repeats %s, and the carrier does not', async (_status, fault, sent) => {
    livekit.faults.set('CreateSIPParticipant', fault);
    const sip = new SipClient(livekit.url, API_KEY, API_SECRET, { failover: false, requestTimeout: 5 });
    await expect(sip.createSipParticipant(TRUNK, '+14155550100', 'room')).rejects.toThrow();
    expect(livekit.count('CreateSIPParticipant')).toBe(sent);

    livekit.requests.length = 0;
    const { kind } = await carrierAt(livekit.url).placeCall(aDial(), new AbortController().signal);
    expect(kind).toBe('unknown');
    expect(livekit.count('CreateSIPParticipant')).toBe(1);
  });
});
