import { actAs, currentActor, namingActor, withActor } from '../../src/database/actor.js';
import { mayBeAudited } from '../../src/http/acting-requests.js';

const ID = '0198a5b0-0000-7000-8000-000000000001';

test.each([
  ['POST', `/api/voice-agents/${ID}/calls`],
  ['POST', `/api/voice-agents/${ID}/calls?x=1`],
  ['POST', `/api/voice-agents/${ID}/calls/explain`],
  ['POST', '/api/contacts'],
  ['POST', '/api/campaigns/contact-enrollments'],
  ['POST', '/api/campaigns/enrollments/'],
  ['GET', `/api/calls/${ID}`],
  ['GET', '/api/contacts?limit=10'],
])('%s %s has no actor, so it costs nothing more', (method, path) => {
  expect(mayBeAudited(method, path)).toBe(false);
});

test.each([
  ['POST', '/api/admin/teams'],
  ['POST', `/api/calls/${ID}/cancel`],
  ['POST', '/api/do-not-call'],
  ['POST', '/api/imports'],
  ['POST', `/api/campaigns/enrollments/${ID}/pause`],
  ['PATCH', `/api/contacts/${ID}`],
  ['DELETE', `/api/contacts/${ID}`],
  ['GET', '/api/contacts/export'],
  ['GET', `/api/contacts/${ID}/export`],
  ['GET', `/api/imports/${ID}/results`],
  ['GET', '/api/admin/audit'],
  ['POST', `/t/${ID}/pause`],
])('%s %s may have a row', (method, path) => {
  expect(mayBeAudited(method, path)).toBe(true);
});

test('outside a request with an actor, nothing is named, nor a statement sent', () => {
  actAs(() => {
    throw new Error('never called');
  });
  expect([currentActor(), namingActor()]).toEqual([null, []]);
  withActor(() => expect(namingActor()).toEqual([]));
});
