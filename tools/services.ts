import { ensureServices, servicesStatus, stopServices } from './services/ensure.js';

const USAGE = 'Usage: npm run services [-- start | stop | status]';

async function start(): Promise<void> {
  const services = await ensureServices({ keep: true, log: (line) => console.log(line) });
  const what = (started: boolean): string => (started ? 'started' : 'was running');
  console.log(`Postgres ${what(services.startedHere.postgres)}, Redis ${what(services.startedHere.redis)}.`);
  console.log(`DATABASE_URL=${services.databaseUrl}`);
  console.log(`REDIS_URL=${services.redisUrl}`);
  console.log('They keep running. Stop them with: npm run services -- stop');
}

async function main(command: string): Promise<number> {
  switch (command) {
    case 'start':
      await start();
      return 0;
    case 'stop': {
      const stopped = await stopServices();
      console.log(stopped.databaseUrl ? 'Postgres stopped.' : 'Postgres was not running.');
      console.log(stopped.redisUrl ? 'Redis stopped.' : 'Redis was not running.');
      return 0;
    }
    case 'status': {
      const { databaseUrl, redisUrl } = await servicesStatus();
      console.log(databaseUrl ? `DATABASE_URL=${databaseUrl}` : 'The private Postgres is not running.');
      console.log(redisUrl ? `REDIS_URL=${redisUrl}` : 'The private Redis is not running.');
      return databaseUrl && redisUrl ? 0 : 3;
    }
    default:
      console.error(USAGE);
      return 2;
  }
}

main(process.argv[2] ?? 'start').then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
