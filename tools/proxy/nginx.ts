import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DebianProgram, fromDebian, type Unpacked } from '../services/debian-program.js';
import { defaultCacheDir, repositoryRoot } from '../services/paths.js';
import { freePort } from '../services/ports.js';
import { pause, run } from '../services/run.js';

const PACKAGED: DebianProgram = {
  name: 'nginx',
  packages: ['nginx'],
  path: 'usr/sbin/nginx',
  versionFlag: '-v',
};

const START_ATTEMPTS = 200;
const ATTEMPT_GAP_MS = 25;

export interface NginxOptions {
  /** The API's port on this host. */
  apiPort: number;
  /** Addresses and networks without limits. */
  allowed?: string[];
  /**
   * Texts of `deploy/nginx.conf` and what stands for them here, such as a shorter time. @throws if one is not
   * there.
   */
  changes?: Record<string, string>;
}

/** The machine's nginx, or the package of the machine's Debian. @returns null where neither can be had. */
export async function findNginx(): Promise<Unpacked | null> {
  for (const path of ['nginx', '/usr/sbin/nginx'])
    if ((await run(path, ['-v'])).code === 0) return { path, args: [], env: {} };
  const problems: string[] = [];
  const found = await fromDebian(PACKAGED, {}, defaultCacheDir(), problems);
  if (found) return found;
  process.stderr.write(`There is no nginx: ${problems.join('; ') || 'and no apt-get'}\n`);
  return null;
}

/** A running nginx with the configuration that is shipped, before an API on this host. */
export class Nginx {
  private constructor(
    readonly port: number,
    private readonly directory: string,
    private readonly child: ChildProcess,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What nginx logged of failures. */
  get errorLog(): string {
    return readFileSync(join(this.directory, 'error.log'), 'utf8');
  }

  /** A line for each answer of nginx itself. */
  get accessLog(): string {
    return readFileSync(join(this.directory, 'access.log'), 'utf8');
  }

  static async start(program: Unpacked, options: NginxOptions): Promise<Nginx> {
    const directory = mkdtempSync(join(tmpdir(), 'outdial-nginx-'));
    // The workers of a root's nginx run as another account, and enter it.
    chmodSync(directory, 0o711);
    const port = await freePort();
    const allowed = (options.allowed ?? []).map((address) => `${address} 0;\n`);
    writeFileSync(join(directory, 'allow-list.conf'), allowed.join(''));
    writeFileSync(join(directory, 'nginx.conf'), render(directory, port, options));
    const args = [...program.args, '-p', directory, '-c', 'nginx.conf', '-g', 'daemon off;'];
    // Until it has read its configuration, nginx logs to the file that it was compiled for, or to stderr.
    const child = spawn(program.path, args, { stdio: 'ignore', env: { ...process.env, ...program.env } });
    const nginx = new Nginx(port, directory, child);
    try {
      for (let attempt = 0; !(await listens(port)); attempt += 1) {
        if (attempt === START_ATTEMPTS || child.exitCode !== null)
          throw new Error(`nginx did not start: ${(await run(program.path, [...args, '-t'])).output}`);
        await pause(ATTEMPT_GAP_MS);
      }
    } catch (error) {
      await nginx.stop();
      throw error;
    }
    return nginx;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      // It ends its workers, which a killed master would leave.
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The shipped configuration with the paths, ports and addresses of this host. */
function render(directory: string, port: number, { apiPort, changes }: NginxOptions): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${directory}/${kind};`,
  );
  const here: Record<string, string> = {
    '/etc/nginx/outdial/': `${directory}/`,
    '/var/log/nginx/': `${directory}/`,
    '/run/nginx.pid': `${directory}/nginx.pid`,
    'server api:3000;': `server 127.0.0.1:${apiPort};`,
    'listen 8080 ': `listen ${port} `,
    // As many as this process may have open.
    'worker_rlimit_nofile 65536;': '',
    '\nhttp {\n': `\nhttp {\n${temporary.join('\n')}\n`,
    ...changes,
  };
  let text = readFileSync(join(repositoryRoot(), 'deploy', 'nginx.conf'), 'utf8');
  for (const [from, to] of Object.entries(here)) {
    if (!text.includes(from)) throw new Error(`deploy/nginx.conf does not have "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
