import { type CarrierCheck } from '../carrier.js';
import { type LiveKitSession } from './livekit-session.js';
import { LiveKitFailure } from './once-rpc.js';

type Item = CarrierCheck['items'][number];

/** A room that does not exist: the request only shows whether LiveKit accepts the credentials. */
const NO_ROOM = 'outdial-check';

/**
 * Checks that the credentials work, that the default trunk exists, and that this trunk has the numbers.
 * Places no call.
 */
export async function checkLiveKit(
  { rooms, sip }: LiveKitSession,
  sipTrunkId: string | undefined,
  numbers: readonly string[],
): Promise<CarrierCheck> {
  const credentials = await item('credentials', async () => {
    await rooms.listRooms([NO_ROOM]);
    return { ok: true, detail: 'LiveKit takes them' };
  });
  const items = [credentials];
  if (credentials.ok && sipTrunkId === undefined) {
    items.push({
      what: 'trunk',
      ok: true,
      detail: 'LIVEKIT_SIP_TRUNK_ID is not set: each agent names its own',
    });
  } else if (credentials.ok) {
    items.push(...(await trunkItems(sip, sipTrunkId ?? '', numbers)));
  }
  return { ok: items.every(({ ok }) => ok), items };
}

async function trunkItems(
  sip: LiveKitSession['sip'],
  sipTrunkId: string,
  numbers: readonly string[],
): Promise<Item[]> {
  let owned: readonly string[] = [];
  const trunk = await item(`trunk ${sipTrunkId}`, async () => {
    const found = (await sip.listSipOutboundTrunk({ trunkIds: [sipTrunkId] })).find(
      (candidate) => candidate.sipTrunkId === sipTrunkId,
    );
    owned = found?.numbers ?? [];
    return found === undefined
      ? { ok: false, detail: 'LiveKit has no such outbound trunk' }
      : { ok: true, detail: `it has ${owned.length} number(s)` };
  });
  if (!trunk.ok) return [trunk];
  // For a trunk with `*` or without numbers, LiveKit accepts any caller ID. The trunk's provider may still
  // refuse a caller ID.
  const any = owned.length === 0 || owned.includes('*');
  const numberItems = numbers.map((number) => {
    const ok = any || owned.includes(number);
    const detail = any
      ? 'the trunk takes any number'
      : ok
        ? 'the trunk has it'
        : 'the trunk does not have it';
    return { what: number, ok, detail };
  });
  return [trunk, ...numberItems];
}

async function item(what: string, ask: () => Promise<Omit<Item, 'what'>>): Promise<Item> {
  try {
    return { what, ...(await ask()) };
  } catch (error) {
    return { what, ok: false, detail: wordsFor(error) };
  }
}

function wordsFor(error: unknown): string {
  if (!(error instanceof LiveKitFailure)) return 'LiveKit’s answer could not be read';
  const { failure } = error;
  if (failure.kind !== 'answered') return `LiveKit cannot be reached (${failure.reason})`;
  if (failure.status === 401) return 'LiveKit does not take the API key and secret (401)';
  return `LiveKit answered ${failure.status}${failure.twirp === null ? '' : ` (${failure.twirp})`}`;
}
