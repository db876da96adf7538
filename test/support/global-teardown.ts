import './typescript-imports.cjs';
import { dropLeftovers } from './leftovers.js';

/** Removes what the run and crashed earlier ones left, and stops services that only this run needed. */
export default async function globalTeardown(): Promise<void> {
  const services = globalThis.outdialTestServices;
  if (!services) return;
  try {
    await dropLeftovers(services.databaseUrl, services.redisUrl, process.env.TEST_RUN ?? '');
  } finally {
    await services.stop();
  }
}
