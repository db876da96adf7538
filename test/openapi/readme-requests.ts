import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A request that the README shows with curl. */
export interface ReadmeRequest {
  method: string;
  path: string;
  body: unknown;
}

const AN_ID = '0f89a2c8-7f52-4c9f-ba6d-ccb44f940e49';

/** Every `curl` of the README's shell examples; its variables are ids, and stand for one here. */
export function readmeRequests(): ReadmeRequest[] {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const shell = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block).join('\n');
  return shell
    .replaceAll('\\\n', ' ')
    .split(/\bcurl -s /)
    .slice(1)
    .map((command) => {
      const path = /\$API(\/[^\s"|)]*)/.exec(command)?.[1];
      if (path === undefined) throw new Error(`no address in: curl ${command}`);
      const data = /-d (?:'([^']*)'|"((?:[^"\\]|\\.)*)")/.exec(command);
      const text = data?.[1] ?? data?.[2]?.replace(/\\"/g, '"');
      return {
        method: /-X (\w+)/.exec(command)?.[1] ?? (text === undefined ? 'GET' : 'POST'),
        path: withIds(path),
        body: text === undefined ? undefined : (JSON.parse(withIds(text)) as unknown),
      };
    });
}

const withIds = (text: string) => text.replace(/\$[A-Z]+/g, AN_ID);
