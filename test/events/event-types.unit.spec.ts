import { EVENT_TYPES, LISTED_EVENT_TYPES } from '../../src/events/event-types.js';
import { filesBelow, read } from '../support/repository.js';

const QUOTED = /['"`]((?:call|enrollment|contact|campaign|import)\.[a-z_]+)['"`]/g;
const namesIn = (text: string) => [...text.matchAll(QUOTED)].map(([, name = '']) => name);

/** The triggers, which write the names, and the function that tells what has become of campaigns. */
const WRITERS = ['src/events/sql/functions/', 'src/campaigns/sql/functions/tell_campaign_states.sql'];
const isWriter = (path: string) => WRITERS.some((start) => path.startsWith(start));
/** The guides and the examples of requests are texts for people. */
const TEXTS = ['src/openapi/guides/', 'src/openapi/examples/'];
/** An erasure replaces other data in an opt-out than in other events; the document has an example. */
const SINGLE = [
  'src/events/outbox/erase.sql.ts: contact.opted_out',
  'src/events/webhooks/webhooks.openapi.ts: call.ended',
  'src/events/webhooks/webhooks.openapi.ts: call.result',
];

test('the functions of the database write the types of the list', () => {
  const written = filesBelow('src')
    .filter(isWriter)
    .flatMap((path) => namesIn(read(path)));
  expect([...new Set(written)].sort()).toEqual([...EVENT_TYPES].sort());
});

test('the table of docs/events.md has the types of the list, in its order and words', () => {
  const [, table = ''] = /^## Types\n(.*?)^- /ms.exec(read('docs/events.md')) ?? [];
  const rows = [...table.matchAll(/^\| `([a-z._]+)` +\| (.*?) +\|/gm)].map(([, name, when = '']) => ({
    name,
    when: when.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'),
  }));
  const plain = LISTED_EVENT_TYPES.map(({ name, when }) => ({ name, when: when.replace('’', "'") }));
  expect(rows).toEqual(plain);
});

test('no other file of src/ names a type', () => {
  const naming = filesBelow('src').flatMap((path) => {
    const isKnown = path === 'src/events/event-types.ts' || isWriter(path);
    if (isKnown || TEXTS.some((folder) => path.startsWith(folder))) return [];
    const types: readonly string[] = EVENT_TYPES;
    return [...new Set(namesIn(read(path)))]
      .filter((name) => types.includes(name))
      .map((name) => `${path}: ${name}`);
  });
  expect(naming.sort()).toEqual(SINGLE);
});
