import { Client } from 'pg';
import { newWelcome } from '../../src/people/welcome.js';

/**
 * The link with which the first operator begins. In production none is made, because the output may be kept where
 * others read it: `npm run cli -- user create` makes the operator.
 *
 * @param env of the API and the worker. @returns null: there is an operator, or the link cannot be made.
 */
export async function welcomeLink(env: NodeJS.ProcessEnv): Promise<string | null> {
  if (env.NODE_ENV === 'production') return null;
  const client = new Client({ connectionString: env.DATABASE_OPERATOR_URL || env.DATABASE_URL });
  try {
    await client.connect();
    const path = await newWelcome(client);
    return path === null ? null : `${env.PUBLIC_URL || `http://127.0.0.1:${env.PORT}`}${path}`;
  } catch (error) {
    console.error(
      `No link for the first operator: ${error instanceof Error ? error.message : String(error)}`,
    );
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
