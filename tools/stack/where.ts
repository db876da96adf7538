import { type Services } from '../services/ensure.js';

/**
 * What `npm start` says when everything is ready. It names the files of passwords and tokens, because its output
 * may be kept in a log.
 *
 * @param given the environment of the command.
 * @param env of the API and the worker.
 * @param welcome the link of the first operator; null: there is one.
 * @returns lines.
 */
export function whereThingsAre(
  given: NodeJS.ProcessEnv,
  env: NodeJS.ProcessEnv,
  services: Pick<Services, 'databaseUrl' | 'redisUrl'>,
  welcome: string | null = null,
): string[] {
  const api = `http://127.0.0.1:${env.PORT}`;
  return [
    '',
    `API      ${api}   (ready: ${api}/health/ready)`,
    `Docs     ${api}/docs`,
    welcome === null
      ? `Sign in  ${api}/login`
      : `Begin    ${welcome}\n         (open it within an hour, and choose your e-mail and password)`,
    ...(env.BULL_BOARD_PASSWORD ? [`Queue    ${api}/admin/queues   ${queueLogin(given, env)}`] : []),
    `Worker   http://127.0.0.1:${env.WORKER_PORT}/health/ready`,
    `Carrier  ${env.CARRIER}`,
    // Given addresses may be secret as a whole.
    ...(given.DATABASE_URL ? [] : [`Postgres ${withoutPassword(services.databaseUrl)}`]),
    ...(given.REDIS_URL ? [] : [`Redis    ${withoutPassword(services.redisUrl)}`]),
    ...(given.OPERATOR_TOKEN ? [] : ['Operator Authorization: Bearer $(cat .data/operator-token)']),
    'Ctrl-C stops it all.\n',
  ];
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  url.password = '';
  return `${url.toString()}   (password: .data/secret)`;
}

function queueLogin(given: NodeJS.ProcessEnv, env: NodeJS.ProcessEnv): string {
  const password = given.BULL_BOARD_PASSWORD ? 'as given' : '.data/operator-token';
  return `(user ${env.BULL_BOARD_USER || 'operator'}, password: ${password})`;
}
