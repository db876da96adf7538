import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { percentile } from './load.js';
import { SQL } from './data.js';

/** What one statement alone got done. */
export interface FloorResult {
  /** Those of the warm-up included. */
  all: number;
  requests: number;
  seconds: number;
  latencies: number[];
}

const team = (teams: number) => `($1::integer % ${teams})`;

/**
 * All that a trigger must do, as one statement; $1 is a contact. It has a race that the trigger has not: it
 * is a floor.
 */
export const triggerFloor = (teams: number): string => `
  WITH k AS (
    SELECT t.*, a.id AS agent_id, a.outbound_phone_number, a.calling_hours, a.carrier
    FROM api_keys k JOIN teams t ON t.id = k.team_id JOIN voice_agents a ON a.team_id = t.id
    WHERE k.key_hash = ${SQL.keyHash(team(teams))} AND key_is_live(k.revoked_at, k.expires_at) AND a.id = ${SQL.agent(team(teams))}
  ), facts AS (
    SELECT
      EXISTS (SELECT FROM phone_numbers n WHERE n.team_id = k.id AND n.phone_number = k.outbound_phone_number
        AND n.active AND n.outbound_enabled) AS usable,
      EXISTS (SELECT FROM whitelist w WHERE w.team_id = k.id AND w.phone_number = ${SQL.phone('$1')}) AS whitelisted,
      EXISTS (SELECT FROM do_not_call d WHERE d.team_id = k.id AND d.phone_number = ${SQL.phone('$1')}) AS forbidden,
      (SELECT u.used FROM plan_usage u WHERE u.team_id = k.id AND u.month = date_trunc('month', now())::date) AS used,
      (SELECT array_agg(o.processed_at) FROM call_requests o WHERE o.team_id = k.id
        AND o.phone_number = ${SQL.phone('$1')} AND o.processed_at > now() - interval '720 hours') AS processed,
      (SELECT o.id FROM call_requests o WHERE o.team_id = k.id AND o.phone_number = ${SQL.phone('$1')}
        AND o.status IN ('scheduled', 'queued') ORDER BY o.accepted_at, o.id LIMIT 1) AS pending
    FROM k
  ), contact AS (
    INSERT INTO contacts AS c (team_id, phone_number, name, email)
    SELECT id, ${SQL.phone('$1')}, 'Contact ' || $1, 'c' || $1 || '@example.com' FROM k
    ON CONFLICT (team_id, phone_number) DO UPDATE SET name = excluded.name, email = excluded.email, updated_at = now()
    RETURNING id
  )
  INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, variables, accepted_at, runs_at,
    expires_at, woken_at, history, decisions)
  SELECT gen_random_uuid(), k.id, k.agent_id, contact.id, ${SQL.phone('$1')}, 'queued', '{"bench": true}', now(), now(),
    now() + interval '1 day', now(), '[{"to": "queued", "cause": "triggered"}]',
    jsonb_build_array(jsonb_build_object('usable', usable, 'whitelisted', whitelisted, 'forbidden', forbidden,
      'used', used, 'processed', to_jsonb(processed), 'pending', pending))
  FROM k, facts, contact`;

/** All that create-or-update-and-enroll must do. */
export const enrollFloor = (teams: number): string => `
  WITH k AS (
    SELECT k.team_id FROM api_keys k WHERE k.key_hash = ${SQL.keyHash(team(teams))} AND key_is_live(k.revoked_at, k.expires_at)
  ), campaign AS (
    SELECT c.id, c.team_id, c.current_version_id FROM campaigns c JOIN k ON k.team_id = c.team_id
    WHERE c.id = ${SQL.campaign(team(teams))} AND c.status = 'active'
  ), contact AS (
    INSERT INTO contacts AS c (team_id, phone_number, name, email, custom_properties)
    SELECT team_id, ${SQL.phone('$1')}, 'Contact ' || $1, 'c' || $1 || '@example.com', '{"bench": true}' FROM k
    ON CONFLICT (team_id, phone_number) DO UPDATE SET name = excluded.name, email = excluded.email,
      custom_properties = c.custom_properties || excluded.custom_properties, updated_at = now()
    RETURNING id
  )
  INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, look_at)
  SELECT campaign.team_id, campaign.id, contact.id, campaign.current_version_id, NULL FROM campaign, contact
  ON CONFLICT (campaign_id, contact_id, entry) DO NOTHING`;

/** Runs one statement on so many connections as fast as they go. */
export interface Floor {
  name: string;
  run(
    statement: string,
    contacts: number,
    connections: number,
    warmUp: number,
    seconds: number,
  ): Promise<FloorResult>;
}

/** pgbench where there is one, else a bare client of ours. */
export function chooseFloor(databaseUrl: string, directory: string): Floor {
  const candidates = (process.env.PATH ?? '').split(':').concat('/usr/local/bin', '/usr/bin');
  const program = candidates.map((path) => join(path, 'pgbench')).find((path) => existsSync(path));
  return program === undefined ? bareClient(databaseUrl) : pgbench(program, databaseUrl, directory);
}

function pgbench(program: string, databaseUrl: string, directory: string): Floor {
  return {
    name: 'pgbench',
    async run(statement, contacts, connections, warmUp, seconds) {
      const script = join(directory, 'floor.sql');
      const prefix = join(directory, 'floor-log');
      const text = statement.replaceAll('$1', ':contact').replace(/\s*\n\s*/g, ' ');
      await writeFile(script, `\\set contact random(0, ${contacts - 1})\n${text};\n`);
      const args = [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(connections),
        '-j',
        '2',
        '-T',
        String(warmUp + seconds),
        '-f',
        script,
        '-l',
        `--log-prefix=${prefix}`,
        databaseUrl,
      ];
      // Each connection plans first, so it begins before it counts.
      const counted = Date.now() / 1_000 + warmUp;
      await run(program, args, directory);
      const latencies: number[] = [];
      let all = 0;
      for (const file of await readdir(directory)) {
        if (!file.startsWith('floor-log')) continue;
        for (const line of (await readFile(join(directory, file), 'utf8')).split('\n')) {
          const [, , took, , second, microsecond] = line.split(' ').map(Number);
          if (took === undefined || second === undefined) continue;
          all += 1;
          if (second + (microsecond ?? 0) / 1e6 >= counted) latencies.push(took / 1_000);
        }
        await rm(join(directory, file));
      }
      return {
        all,
        requests: latencies.length,
        seconds,
        latencies: latencies.sort((a, b) => a - b),
      };
    },
  };
}

function bareClient(databaseUrl: string): Floor {
  return {
    name: 'a bare pg client',
    async run(statement, contacts, connections, warmUp, seconds) {
      const latencies: number[] = [];
      const counted = performance.now() + warmUp * 1_000;
      const deadline = counted + seconds * 1_000;
      let all = 0;
      await Promise.all(
        Array.from({ length: connections }, async () => {
          const client = new Client({ connectionString: databaseUrl });
          await client.connect();
          while (performance.now() < deadline) {
            const asked = performance.now();
            const values = [Math.floor(Math.random() * contacts)];
            await client.query({ name: 'floor', text: statement, values });
            all += 1;
            if (asked >= counted) latencies.push(performance.now() - asked);
          }
          await client.end();
        }),
      );
      return { all, requests: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b) };
    },
  };
}

function run(program: string, args: string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`pgbench failed: ${errors.slice(-500)}`)),
    );
  });
}

export function summary(result: FloorResult): { perSecond: number; p50: number; p99: number } {
  return {
    perSecond: result.requests / result.seconds,
    p50: percentile(result.latencies, 0.5),
    p99: percentile(result.latencies, 0.99),
  };
}
