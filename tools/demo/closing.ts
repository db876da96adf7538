import { relative } from 'node:path';
import { repositoryRoot } from '../services/paths.js';
import { type Services } from '../services/ensure.js';
import { type DemoStack } from './stack.js';
import { type Story } from './story.js';
import { type DemoCast } from './team.js';
import { styled } from './terminal.js';

/** The last word on the run: whether all was as expected. */
export function printResult({ checks, failures }: Story, startedAt: number): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(
    failures === 0
      ? styled('green', `\nAll ${checks} checks as expected, in ${seconds} seconds.`)
      : styled('red', `\n${failures} of ${checks} checks were not as expected (marked ✗ above).`),
  );
}

/** What was started, and what to try next while it is up. */
export function printWhereToLook(
  stack: DemoStack,
  services: Services,
  { key, open, teamId }: DemoCast,
  welcome: string | null,
): void {
  const { api, worker, database, operatorToken } = stack;
  const calls = `${api}/api/voice-agents/${open.id}/calls`;
  console.log(`
${styled('bold', 'What is running')}
  API        ${api}   (live: ${api}/health/live, ready: ${api}/health/ready)
  Docs       ${api}/docs   (for machines: ${api}/docs/openapi.json)
  Begin      ${welcome ?? `${api}/login`}   (choose e-mail and password within an hour)
  Worker     ${worker}/health/ready
  Postgres   ${shownDatabase(database)}
  Redis      ${process.env.REDIS_URL ? 'as given by REDIS_URL' : services.redisUrl}, keys ${stack.redisPrefix}:*
  Carrier    the simulator: no telephone rings
  Dial log   ${fromHere(stack.dialLog)}
  Log        ${fromHere(stack.log)}

${styled('bold', 'Try it')} (docs/api.md has more examples)
  curl -s ${calls} \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"phoneNumber": "+14155550199", "fullName": "You", "topic": "this demo"}'
  curl -s -H 'Authorization: Bearer ${key}' ${api}/api/calls/<callRequestId>
  curl -s -H 'Authorization: Bearer ${operatorToken}' ${api}/api/admin/teams/${teamId}/calls
  (“${open.name}” calls from 09:00 to 17:00 in ${open.timezone}; later requests wait for the next morning there)

Ctrl-C stops all of it and removes what the demo made.
`);
}

function shownDatabase({ url, own }: DemoStack['database']): string {
  // A given address may carry a password that belongs on no screen.
  if (!process.env.DATABASE_URL) return url;
  return own ? `${new URL(url).pathname.slice(1)} on the server of DATABASE_URL` : 'as given by DATABASE_URL';
}

function fromHere(file: string): string {
  return relative(repositoryRoot(), file);
}
