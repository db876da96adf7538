/**
 * `npm run test:hostile [-- --only 'name;name'] [--direct] [--report] [--against <commit or path of another
 * build>]`: how an unrelated team fares beside bad neighbours and strangers, through the nginx that is
 * shipped. Prints a table; exits with 1 where a bound is passed. `--direct` plays without the proxy, where
 * strangers may delay the team. `--report` only prints. `--against` plays the same against another build
 * first, which is not checked against the bounds.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Build, otherBuild, thisBuild } from '../builds/built-commit.js';
import { Deployment } from '../builds/deployment.js';
import { type Servers, startServers } from '../builds/servers.js';
import { findNginx, Nginx } from '../proxy/nginx.js';
import { play, type Played } from './play.js';
import { report } from './report.js';
import { SITUATIONS } from './situations.js';
import { CUSTOMER, type Situation } from './situation.js';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      direct: { type: 'boolean' },
      report: { type: 'boolean' },
      against: { type: 'string' },
    },
  });
  const names = values.only?.split(';');
  const chosen = SITUATIONS.filter(({ name }) => names?.includes(name.split(':')[0] ?? '') ?? true);
  if (chosen.length === 0) throw new Error('--only names no situation');
  const other = values.against === undefined ? null : await otherBuild(values.against);
  const program = values.direct ? null : await findNginx();
  if (program === null && !values.direct) throw new Error('There is no nginx; --direct plays without it');
  const servers = await startServers('hostile');
  let running: Deployment | null = null;
  let nginx: Nginx | null = null;
  const close = async () => {
    await nginx?.stop();
    await running?.close();
    await servers.close();
  };
  const stop = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const playAll = async (build: Build, name: string) => {
    running = await deploy(servers, build, name, program !== null);
    const apiPort = Number(new URL(running.url).port);
    nginx = program && (await Nginx.start(program, { apiPort, allowed: [CUSTOMER] }));
    const played = await playEach(running, nginx?.url ?? null, chosen);
    await nginx?.stop();
    await running.close();
    console.log(report(`${build.label}, ${nginx ? 'through nginx' : 'without a proxy'}`, played));
    return played;
  };
  try {
    const ours = await thisBuild(join(servers.directory, 'this'));
    if (other) await playAll(other, 'hostile_other');
    const played = await playAll(ours, 'hostile_this');
    return values.report || played.every(({ faults }) => faults.length === 0) ? 0 : 1;
  } finally {
    await close();
  }
}

/** Calls that nothing dials stay where they are: the worker is not part of any situation. */
function deploy(servers: Servers, build: Build, name: string, proxied: boolean): Promise<Deployment> {
  const env = { LOG_LEVEL: 'info', ...(proxied && { TRUSTED_PROXIES: '127.0.0.1' }) };
  return Deployment.start(servers, build, name, env, []);
}

async function playEach(
  deployment: Deployment,
  proxyUrl: string | null,
  situations: Situation[],
): Promise<Played[]> {
  const all: Played[] = [];
  for (const situation of situations) {
    const played = await play(deployment, proxyUrl, situation);
    const result = played.faults.length === 0 ? 'ok' : played.faults.join('; ');
    console.error(`${deployment.label}  ${situation.name.split(':')[0]}: ${result}`);
    all.push(played);
  }
  return all;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
