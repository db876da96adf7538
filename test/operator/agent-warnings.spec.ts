import { buildContact } from '../support/builders.js';
import { operatorOfFile } from './operator-api.js';

const operator = operatorOfFile();

type Written = { id: string; warnings?: { key: string; text: string }[] };
const ANY_TIME = { name: 'Agent', timezone: 'UTC', callingHours: null };

test('an agent’s template with an unclosed or unknown placeholder is warned about where it is written', async () => {
  const { api, world } = operator;
  const { id: teamId } = await api.created('/teams', { name: 'Team' });
  const agents = `/teams/${teamId}/voice-agents`;
  const plain = await api.created<Written>(agents, {
    ...ANY_TIME,
    promptTemplate: 'Call {{contact.name | there}} about {{topic}}, plan {{contact.plan}}.',
  });
  expect(plain).not.toHaveProperty('warnings');

  const written = await api.created<Written>(agents, {
    ...ANY_TIME,
    promptTemplate: 'Call {{contact.nmae}}',
    firstMessageTemplate: 'Hello {{contact.name}',
  });
  expect(written.warnings).toEqual([
    { key: 'promptTemplate', text: expect.stringContaining('{{contact.name}}') as string },
    { key: 'firstMessageTemplate', text: expect.stringContaining('not closed') as string },
  ]);
  const read = await api.get(`${agents}/${written.id}`);
  expect(read.body).not.toHaveProperty('warnings');

  const change = { promptTemplate: 'Call {{contact.name}}' };
  const changed = await api.patch(`${agents}/${written.id}`, change);
  expect((changed.body as Written).warnings).toMatchObject([{ key: 'firstMessageTemplate' }]);

  await buildContact(world.db, teamId, { custom_properties: { tier: 'gold' } });
  const renamed = await api.patch(`${agents}/${plain.id}`, { name: 'Other' });
  expect((renamed.body as Written).warnings).toEqual([
    { key: 'promptTemplate', text: expect.stringContaining('{{contact.plan}}') as string },
  ]);
  await buildContact(world.db, teamId, { custom_properties: { plan: 'gold' } });
  const again = await api.patch(`${agents}/${plain.id}`, { name: 'Third' });
  expect(again.body).not.toHaveProperty('warnings');
});
