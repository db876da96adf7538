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
  it('reads back what carrierEventToJson wrote', () => {
    const parsed = carrierEventFromJson(good);
    expect(parsed.ok && carrierEventToJson(parsed.event)).toEqual(good);
  });

  it('passes a result on as fields of the report, which are not read yet', () => {
    const parsed = carrierEventFromJson(good);
    if (!parsed.ok) throw new Error(parsed.message);
    const callbackAt = new Date('2027-03-28T08:00:00Z');
    const result = { disposition: 'call_later', callbackAt, optOut: false };
    const sent = carrierEventToJson({ ...parsed.event, result });
    expect(sent).toEqual({
      ...good,
      disposition: 'call_later',
      callbackAt: '2027-03-28T08:00:00.000Z',
      optOut: false,
    });
    expect(carrierEventFromJson(sent)).toEqual(parsed);
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
  ])('refuses %j, naming %s', (value, field) => {
    const parsed = carrierEventFromJson(value);
    expect(parsed.ok ? '' : parsed.message).toMatch(new RegExp(`^${field} must`));
  });
});
