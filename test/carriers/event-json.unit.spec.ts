import { carrierEventFromJson, carrierEventToJson } from '../../src/carriers/event-json.js';
import { callRequestId } from './support.js';

const good = {
  callRequestId: callRequestId(1),
  carrierCallId: 'sim-1',
  status: 'completed',
  at: '2026-11-20T14:00:00.000Z',
  durationSeconds: 3,
};

describe('carrierEventFromJson', () => {
  it('reads what carrierEventToJson wrote', () => {
    const parsed = carrierEventFromJson(good);
    expect(parsed.ok && carrierEventToJson(parsed.event)).toEqual(good);
  });

  it('returns a result as fields of the report', () => {
    const parsed = carrierEventFromJson(good);
    if (!parsed.ok) throw new Error(parsed.message);
    const callbackAt = new Date('2027-03-28T08:00:00Z');
    const result = { disposition: 'call_later', callbackAt, optOut: false, data: null };
    const sent = carrierEventToJson({ ...parsed.event, result });
    expect(sent).toEqual({
      ...good,
      disposition: 'call_later',
      callbackAt: '2027-03-28T08:00:00.000Z',
      optOut: false,
    });
    expect(carrierEventFromJson(sent)).toEqual({ ok: true, event: { ...parsed.event, result } });
  });

  it('returns no result without its fields', () => {
    const parsed = carrierEventFromJson({ ...good, disposition: null, optOut: false });
    expect(parsed.ok && parsed.event.result).toBeUndefined();
  });

  it('reads the opt-out of an otherwise malformed report', () => {
    const { callRequestId: optOutOf } = good;
    for (const wrong of [{ at: 'x' }, { callbackAt: 'tomorrow' }, { data: [] }]) {
      expect(carrierEventFromJson({ ...good, ...wrong, optOut: true })).toMatchObject({
        ok: false,
        optOutOf,
      });
      expect(carrierEventFromJson({ ...good, ...wrong, optOut: 'yes' })).not.toHaveProperty('optOutOf');
    }
  });

  it.each([
    [null, 'the body'],
    [[], 'the body'],
    [{ ...good, callRequestId: 'x' }, 'callRequestId'],
    [{ ...good, carrierCallId: undefined }, 'carrierCallId'],
    [{ ...good, carrierCallId: 'a\u0000' }, 'carrierCallId'],
    [{ ...good, status: 'ringing' }, 'status'],
    [{ ...good, at: 'yesterday' }, 'at'],
    [{ ...good, at: '2026-13-40T99:00:00Z' }, 'at'],
    [{ ...good, reason: 5 }, 'reason'],
    [{ ...good, durationSeconds: 1.5 }, 'durationSeconds'],
    [{ ...good, disposition: ' ' }, 'disposition'],
    [{ ...good, callbackAt: '2027-02-30T09:00:00Z' }, 'callbackAt'],
    [{ ...good, callbackAt: '2027-02-20T09:00:00' }, 'callbackAt'],
    [{ ...good, optOut: 1 }, 'optOut'],
    [{ ...good, data: 'x' }, 'data'],
  ])('refuses %j, naming %s', (value, field) => {
    const parsed = carrierEventFromJson(value);
    expect(parsed.ok ? '' : parsed.message).toMatch(new RegExp(`^${field} must`));
  });
});
