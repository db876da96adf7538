import { Client } from 'pg';
import { FIRE_FACTS } from '../../src/calls/fire/fire.sql.js';
import { TRIGGER_FACTS } from '../../src/calls/trigger/trigger.sql.js';
import { ENROLLMENT_FACTS } from '../../src/campaigns/engine/facts.sql.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { PLANNING } from '../../src/database/session.js';
import { createTestDatabase } from '../support/database.js';
import { indexesOf, type Node } from './plan-node.js';

/*
 * A process that starts with an empty database keeps the plans of that moment until there are statistics. The role sees the rows of its
 * team, and the policy's condition leads to every index of a team.
 */
test.each([TRIGGER_FACTS, FIRE_FACTS, ENROLLMENT_FACTS])(
  '$name looks for calls by their number also where there are none',
  async ({ text }) => {
    const database = await createTestDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    for (const [name, value] of Object.entries(PLANNING)) await client.query(`SET ${name} = ${value}`);
    await client.query(`SET ROLE ${RESTRICTED_ROLE}`);
    await client.query(`PREPARE looked_at AS ${text}`);
    const last = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    const nulls = Array.from({ length: last }, () => 'NULL').join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE looked_at (${nulls})`,
    );
    await client.end();
    await database.drop();
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    const indexes = plan === undefined ? [] : indexesOf(plan.Plan);
    expect(indexes).toContain('ix_call_requests_numbers');
    expect(indexes).not.toContain('ix_call_requests_listing');
  },
);
