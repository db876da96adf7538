import { shellExamples } from '../docs/support/examples.js';

/** A request that the documents show with curl. */
export interface DocumentedRequest {
  method: string;
  path: string;
  body: unknown;
}

const AN_ID = '0f89a2c8-7f52-4c9f-ba6d-ccb44f940e49';

/** Every `curl` of the documents' shell examples; each of their variables stands for an id. */
export function documentedRequests(): DocumentedRequest[] {
  return withAddresses(
    withFiles(
      shellExamples()
        .map(({ script }) => script)
        .join('\n'),
    ),
  )
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

/** Replaces `$(cat file)` by the text of the file, if an example makes it; escaped, because the shell quotes it. */
function withFiles(script: string): string {
  return [...script.matchAll(/^cat > (\S+) <<END\n(.*?)^END$/gms)].reduce(
    (text, [, file, content = '']) => text.replaceAll(`$(cat ${file})`, () => content.replace(/"/g, '\\"')),
    script,
  );
}

/** Replaces a variable that an example sets to an address, such as `CAMPAIGNS=$API/…`, by the address. */
function withAddresses(script: string): string {
  return [...script.matchAll(/^([A-Z]+)=(\$API\/\S*)$/gm)].reduce(
    (text, [, name, address = '']) => text.replace(new RegExp(`\\$${name}\\b`, 'g'), () => address),
    script,
  );
}

const withIds = (text: string) => text.replace(/\$[A-Z]+/g, AN_ID);
