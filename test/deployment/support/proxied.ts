import { request } from 'node:http';
import { findNginx, Nginx, type NginxOptions } from '../../../tools/proxy/nginx.js';
import { type Unpacked } from '../../../tools/services/debian-program.js';

const running: Nginx[] = [];
let program: Unpacked | null = null;

/** Looks for nginx. Where there is none, and none can be downloaded, the tests of {@link withNginx} pass. */
export async function prepareNginx(): Promise<void> {
  program = await findNginx();
}

export async function startNginx(options: NginxOptions): Promise<Nginx> {
  if (program === null) throw new Error('there is no nginx');
  const nginx = await Nginx.start(program, options);
  running.push(nginx);
  return nginx;
}

export async function stopNginx(): Promise<void> {
  await Promise.all(running.splice(0).map((nginx) => nginx.stop()));
}

/** The work of a test, where there is an nginx. */
export function withNginx(work: () => Promise<void>): () => Promise<void> {
  return async () => {
    if (program !== null) await work();
  };
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The client's address: any of 127.0.0.0/8. */
  from?: string;
}

/** One request on a connection of its own. */
export function ask(url: string, { method = 'GET', headers = {}, body, from }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...length, ...headers }, agent: false as const, localAddress: from };
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.once('error', reject);
    });
    sent.once('error', reject).end(body);
  });
}
