import {
  type AgentSettingField,
  agentSettingsIn,
  typedAgentSettings,
} from '../../src/carriers/agent-setting-field.js';
import { agentSettingsOf } from '../../src/carriers/agent-carrier.service.js';
import { CARRIER_NAMES, CARRIERS } from '../../src/carriers/registry.js';
import { readHttpSettings } from '../../src/carriers/http/http-settings.js';
import { readSettings } from '../../src/carriers/livekit/livekit-settings.js';
import { elevenLabsSettingsProblem } from '../../src/carriers/elevenlabs/elevenlabs-settings.js';
import { vapiSettingsProblem } from '../../src/carriers/vapi/vapi-settings.js';
import { retellSettingsProblem } from '../../src/carriers/retell/retell-settings.js';
import { parseTwilioSettings } from '../../src/carriers/twilio/twilio-settings.js';

/** What each carrier says of settings with a field that it does not know: it names those that it knows. */
const ON_UNKNOWN: Record<string, string> = {
  elevenlabs: elevenLabsSettingsProblem({ strange: 1 }) ?? '',
  http: messageOf(readHttpSettings({ strange: 1 }, { allowPrivate: false, defaultUrl: undefined })),
  livekit: messageOf(readSettings({ strange: 1 }, { sipTrunkId: undefined, agentName: undefined })),
  retell: retellSettingsProblem({ strange: 1 }) ?? '',
  twilio: messageOf(parseTwilioSettings({ strange: 1 })),
  vapi: vapiSettingsProblem({ strange: 1 }) ?? '',
};

function messageOf(read: object): string {
  const { message, problem } = read as { message?: string; problem?: string };
  return message ?? problem ?? '';
}

test.each(Object.entries(ON_UNKNOWN))(
  'forms have a field for each setting that %s knows',
  (carrier, message) => {
    const [, list = ''] =
      /(?:it knows|it takes|may have) ([\w, ]+?)(?:, and nothing else)?$/.exec(message) ?? [];
    const heads = (agentSettingsOf(carrier) ?? []).map(({ name }) => name.split('.')[0]);
    expect([...new Set(heads)].sort()).toEqual(list.split(', ').sort());
  },
);

test('a carrier whose settings have fields gives each a label, a hint and a name of its own', () => {
  expect(CARRIERS.map(({ name }) => name)).toEqual(CARRIER_NAMES);
  for (const name of CARRIER_NAMES) {
    const fields = agentSettingsOf(name) ?? [];
    expect(new Set(fields.map((field) => field.name)).size).toBe(fields.length);
    expect(fields.filter(({ label, hint }) => label === '' || hint === '')).toEqual([]);
  }
  expect(agentSettingsOf('nothing')).toBeNull();
});

const FIELDS: AgentSettingField[] = [
  { name: 'url', label: 'URL', hint: 'h', kind: { type: 'text' } },
  { name: 'seconds', label: 'Seconds', hint: 'h', kind: { type: 'wholeNumber' } },
  { name: 'loud', label: 'Loud', hint: 'h', kind: { type: 'flag' } },
  { name: 'relay.voice', label: 'Voice', hint: 'h', kind: { type: 'text' } },
  { name: 'ids', label: 'Ids', hint: 'h', kind: { type: 'numberIds' } },
];

test('the form of stored settings stands for the same settings, with those that no field has', () => {
  const stored = { url: 'x', seconds: 5, loud: false, relay: { voice: 'a', other: [1] }, more: { a: null } };
  const { typed, others } = typedAgentSettings(FIELDS, stored);
  expect(typed).toEqual({ url: 'x', seconds: '5', loud: 'false', 'relay.voice': 'a' });
  expect(others).toEqual({ relay: { other: [1] }, more: { a: null } });
  expect(agentSettingsIn(FIELDS, typed, others)).toEqual(stored);
});

test('an empty field is not set, and what is no number is left to the carrier to refuse', () => {
  expect(agentSettingsIn(FIELDS, { url: ' ', seconds: 'five', loud: 'maybe' }, {})).toEqual({
    seconds: 'five',
    loud: 'maybe',
  });
});

test('ids of numbers are lines in a form', () => {
  const stored = { ids: { '+14155550100': 'a-1', '+14155550101': 'b' } };
  const { typed, others } = typedAgentSettings(FIELDS, stored);
  expect([typed, others]).toEqual([{ ids: '+14155550100 a-1\n+14155550101 b' }, {}]);
  expect(agentSettingsIn(FIELDS, typed, {})).toEqual(stored);
  expect(agentSettingsIn(FIELDS, { ids: ' +14155550100  a-1\r\n\r\n+14155550101\tb ' }, {})).toEqual(stored);
});

test.each(['+14155550100', '+14155550100 a b', '+14155550100 a\n+14155550100 b'])(
  'lines %j that are no ids of numbers are left to the carrier to refuse',
  (ids) => {
    expect(agentSettingsIn(FIELDS, { ids }, {})).toEqual({ ids });
    expect(vapiSettingsProblem({ assistantId: 'a', phoneNumberIds: ids })).toContain(
      'phoneNumberIds must be',
    );
  },
);

test('stored ids that lines cannot show stay as they are', () => {
  for (const ids of [{ '+1 415': 'a' }, { '+14155550100': 'a b' }, { '+14155550100': 7 }, []]) {
    expect(typedAgentSettings(FIELDS, { ids })).toEqual({ typed: {}, others: { ids } });
  }
});
