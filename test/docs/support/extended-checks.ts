// Runs as a spec file in the extended copy (`extended-copy.ts`), where all examples exist.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallResource } from '../../../src/calls/records/calls-admin.service.js';
import { REFUSALS } from '../../../src/calls/trigger/refusals.js';
import { configuredCarriers } from '../../../src/carriers/configured.js';
import { CARRIER_NAMES } from '../../../src/carriers/registry.js';
import { explainCall } from '../../../src/cli/explain.js';
import { loadConfig } from '../../../src/configuration.js';
import { CONTACT_KEYS } from '../../../src/contacts/contact-request.js';
import { mapColumns } from '../../../src/domain/contact-columns.js';
import { nearMisses } from '../../../src/domain/near-misses.js';
import { evaluateGuardrails } from '../../../src/domain/guardrails/guardrails.js';
import { reasonLabel, ruleTitle } from '../../../src/domain/narrator/labels.js';
import { apiDocument } from '../../../src/openapi/api-document.js';
import { many, played, sceneOf } from '../../domain/campaigns/support/scenes.js';
import { aged, DAY, guardrailFacts, NOW } from '../../domain/support/facts.js';
import { generatedFiles } from '../../../tools/sdk/generated-files.js';
import { root } from '../../support/repository.js';
// Its tests run in this file, after the types are written.
import '../../sdk/generated.spec.js';

const document = apiDocument();
const schemaOfClient = () => readFileSync(join(root, 'sdk/src/generated/schema.ts'), 'utf8');

/** What `npm run sdk:types` does. The command would build the copy first. */
beforeAll(async () => {
  for (const [path, text] of Object.entries(await generatedFiles())) writeFileSync(join(root, path), text);
}, 300_000);

describe('the guardrail', () => {
  const reason = 'UNANSWERED_TOO_OFTEN';
  const message = 'Three calls to this number were not answered in the last 30 days';
  const label = 'Three calls to the number were not answered in 30 days';
  const facts: object = { unansweredAt: aged(DAY, 2 * DAY, 3 * DAY) };
  const decision = evaluateGuardrails(guardrailFacts(facts), NOW);

  test('refuses on the call endpoint', () => {
    expect(decision.reason).toBe(reason);
    expect(new Map<string, object>(Object.entries(REFUSALS)).get(reason)).toMatchObject({
      status: 429,
      message,
    });
  });

  test('has its label and its title on pages', () => {
    expect(reasonLabel(reason)).toBe(label);
    expect(ruleTitle(reason)).toBe('Unanswered calls');
  });

  test('is left out of forecasts', () => {
    expect(played(sceneOf(), many(3)).dials).toBe(3);
  });

  test('is explained by the CLI', () => {
    const call = {
      callRequestId: 'a-call',
      phoneNumber: '+14155550100',
      status: 'blocked',
      reason,
      history: [],
      claimedAt: null,
      processedAt: null,
      endedAt: NOW.toISOString(),
      decisions: [decision],
    };
    const situation = { now: NOW, paused: { team: false, platform: false } };
    const text = explainCall(call as unknown as CallResource, situation).join('\n');
    expect(text).toContain('Not called: three calls to the number were not answered in 30 days.');
    expect(text).toContain(
      'REFUSED  Unanswered calls: Unanswered calls to the number in the 30 days before: 3; the limit is 3. ' +
        'It would agree again from 2026-12-17T15:00:00.000Z.',
    );
  });

  test('stands in the API’s document', () => {
    const responses = document.paths['/api/voice-agents/{agentId}/calls']?.post?.responses ?? {};
    const examples = responses[429]?.content?.['application/json']?.examples;
    expect(examples?.[reason]?.value).toMatchObject({ reason, message });
    expect(document.components.schemas.CallRefusal429?.properties?.reason?.enum).toContain(reason);
  });

  test('is among the client’s types', () => {
    expect(schemaOfClient()).toContain(`"${reason}"`);
  });
});

describe('the contact field', () => {
  const schemas = document.components.schemas;

  test.each(['ContactFields', 'ContactChange', 'Contact', 'OptedOutContact'])(
    'is in the schema %s',
    (name) => {
      expect(Object.keys(schemas[name]?.properties ?? {})).toContain('jobTitle');
    },
  );

  test('is described by its entry', () => {
    expect(schemas.ContactFields?.properties?.jobTitle).toMatchObject({
      description: 'Position in the company.',
      examples: ['Chief engineer'],
    });
    expect(JSON.stringify(schemas.ImportColumn)).toContain('"jobTitle"');
  });

  test('stays a variable in a trigger, which the contract fixes', () => {
    expect(Object.keys(schemas.TriggerCall?.properties ?? {})).toContain('companyName');
    expect(JSON.stringify(schemas.TriggerCall)).not.toContain('jobTitle');
  });

  test('is a column of files, by its name and by its aliases', () => {
    for (const header of ['jobTitle', 'Job Title', 'job_title', 'Position']) {
      const mapped = mapColumns(['phoneNumber', header], []);
      expect(mapped).toMatchObject({ ok: true, columns: [{}, { field: 'jobTitle', customProperty: null }] });
    }
  });

  test('is meant by a misspelled key', () => {
    expect(nearMisses({ Job_Title: 'Countess' }, CONTACT_KEYS)).toEqual([
      {
        key: 'Job_Title',
        text: 'Job_Title is not a field, so it is stored as a custom property. The field is jobTitle.',
      },
    ]);
  });

  test('is among the client’s types', () => {
    expect(schemaOfClient().match(/jobTitle/g)?.length).toBeGreaterThanOrEqual(4);
  });
});

describe('the team setting', () => {
  const schemas = document.components.schemas;

  test('is in the schemas of the bodies, of the resource and of the key, with its entry’s words', () => {
    const integer = {
      type: ['integer', 'null'],
      minimum: 1,
      description: expect.stringContaining('an hour') as string,
    };
    for (const name of ['CreateTeam', 'UpdateTeam', 'TeamResource', 'OwnLimits'])
      expect(schemas[name]?.properties?.maxCallsPerHour).toMatchObject(integer);
  });

  test('is among the client’s types', () => {
    expect(schemaOfClient()).toContain('maxCallsPerHour');
  });
});

describe('the carrier, without a change to anything else', () => {
  const REQUIRED = {
    DATABASE_URL: 'postgres://localhost/outdial',
    REDIS_URL: 'redis://localhost',
    CARRIER: 'ringline',
    OPERATOR_TOKEN: 'operator-token-of-this-test',
  };
  const RINGLINE = { RINGLINE_URL: 'https://api.ringline.example', RINGLINE_TOKEN: 'the-token-of-this-test' };

  test('is a choice of CARRIER and of agents, and needs its variables', () => {
    expect(CARRIER_NAMES).toContain('ringline');
    expect(() => loadConfig(REQUIRED)).toThrow('RINGLINE_URL: is not set; CARRIER=ringline needs it');
    const config = loadConfig({ ...REQUIRED, ...RINGLINE });
    expect(configuredCarriers(config, () => console).map(({ name }) => name)).toEqual([
      'ringline',
      'simulator',
    ]);
  });

  test('is a choice in the client’s types of agents, and nothing else there', () => {
    const lines = schemaOfClient()
      .split('\n')
      .filter((line) => line.includes('ringline'));
    expect(new Set(lines.map((line) => line.trim()))).toEqual(
      new Set([expect.stringMatching(/^carrier\?: .*"ringline" \| null;$/) as string]),
    );
  });

  test('reports at its own route, with its own credentials', () => {
    const operation = document.paths['/api/carriers/ringline/events']?.post;
    expect(operation).toMatchObject({
      operationId: 'reportRinglineEvent',
      security: [{ ringlineToken: [] }],
    });
    expect(document.components.securitySchemes.ringlineToken).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
  });
});
