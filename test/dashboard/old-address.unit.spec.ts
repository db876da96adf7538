import { addressToday } from '../../src/dashboard/frame/old-address.js';

const TEAM = '0190c9a4-5b9e-7d5e-8b53-4f4c7e6a1234';
const CALL = '0190c9a4-5b9e-7d5e-8b53-4f4c7e6a9999';

test.each([
  ['', '', '/platform'],
  ['', '?timezone=Asia%2FTokyo', '/platform?timezone=Asia%2FTokyo'],
  ['', `?teamId=${TEAM}`, `/t/${TEAM}`],
  ['', `?teamId=${TEAM}&timezone=UTC`, `/t/${TEAM}?timezone=UTC`],
  ['', '?teamId=', '/platform?teamId='],
  ['', '?teamId=//evil.example', '/platform?teamId=//evil.example'],
  ['', `?teamId=${TEAM}&teamId=${CALL}`, `/platform?teamId=${TEAM}&teamId=${CALL}`],
  ['/calls', '?status=queued&cursor=a%2Bb', '/platform/calls?status=queued&cursor=a%2Bb'],
  ['/calls', `?status=queued&teamId=${TEAM}`, `/t/${TEAM}/calls?status=queued`],
  ['/calls/download', `?teamId=${TEAM}`, `/t/${TEAM}/calls/download`],
  ['/calls/cancel', `?teamId=${TEAM}&status=queued`, `/t/${TEAM}/calls/cancel?status=queued`],
  ['/calls/cancel', '?status=queued', '/platform/calls?status=queued'],
  [`/calls/${CALL}`, '', `/platform/calls/${CALL}`],
  [`/calls/${CALL}/resolve`, '?outcome=busy', `/platform/calls/${CALL}/resolve?outcome=busy`],
  ['/numbers', `?teamId=${TEAM}&phoneNumber=%2B14155552671`, `/t/${TEAM}/numbers?phoneNumber=%2B14155552671`],
  ['/do-not-call', '', '/platform/do-not-call'],
  ['/campaigns', `?teamId=${TEAM}`, `/t/${TEAM}/campaigns`],
  [
    `/teams/${TEAM}/campaigns/x/enrollments`,
    '?status=active',
    `/t/${TEAM}/campaigns/x/enrollments?status=active`,
  ],
])('/admin%s%s is at its address of today', (path, search, today) => {
  expect(addressToday(path, search)).toBe(today);
});

test.each([
  '/nothing',
  '/calls/x/y',
  '/teams',
  '/teams/',
  '/teams//evil.example',
  '/numbers/x',
  '//evil.example',
])('/admin%s was no page', (path) => {
  expect(addressToday(path, '')).toBeNull();
});
