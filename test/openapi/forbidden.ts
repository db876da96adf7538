import { type KeyScope } from '../../src/domain/key-scopes.js';
import { ApiKeysService } from '../../src/teams/api-keys.service.js';
import { type Stage } from './call-reasons.js';
import { type KnownOperation } from './conformance.js';
import { UNKNOWN_ID } from './prober.js';
import { validRequests } from './valid-requests.js';

/** Every documented 403. */
export function describeForbidden(stage: () => Stage): void {
  const forbidding = () => stage().prober.operations.filter(({ operation }) => '403' in operation.responses);
  const keyWith = async (scopes: KeyScope[]) => {
    const keys = stage().app.get(ApiKeysService, { strict: false });
    return (await keys.create(stage().team.teamId, { name: 'Limited', scopes })).key;
  };

  test('a key without the scope is refused as documented', async () => {
    const { prober, team } = stage();
    const key = await keyWith(['webhooks']);
    const other = await keyWith(['suppressions']);
    for (const known of forbidding()) {
      const opens = known.operation.security.some(({ teamKey = [] }) => teamKey.includes('webhooks'));
      const { status } = await prober.ask(known, team, { token: opens ? other : key });
      expect([known.path, status]).toEqual([known.path, 403]);
    }
  });

  test('a teamId of another team is refused as documented', async () => {
    const { prober, team } = stage();
    const refusesTeams = ({ operation }: KnownOperation) =>
      operation.responses['403']?.description.includes('`teamId`') === true;
    for (const known of forbidding().filter(refusesTeams)) {
      const body = { ...validRequests(team)[known.operation.operationId]?.body, teamId: UNKNOWN_ID };
      expect([known.path, (await prober.ask(known, team, { body })).status]).toEqual([known.path, 403]);
    }
  });
}
