import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createClientFromOperations, type PrismHttp } from '@stoplight/prism-http/dist/client';

const CREATE = '/2010-04-01/Accounts/{AccountSid}/Calls.json';

interface Seen {
  status: number;
  violations: unknown;
}

/** Twilio as its document describes it, played by Prism over HTTP. */
export class PrismTwilio {
  readonly seen: Seen[] = [];
  private constructor(
    private readonly prism: PrismHttp,
    private readonly server: Server,
  ) {}

  /** @param path of Twilio's OpenAPI document. */
  static async start(path: string): Promise<PrismTwilio> {
    const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
    // OpenAPI's default for lists in forms, in so many words: Prism reads no repeated key without them.
    const form = document.paths[CREATE].post.requestBody.content['application/x-www-form-urlencoded'];
    if (form) form.encoding = { StatusCallbackEvent: { style: 'form', explode: true } };
    const prism = createClientFromOperations(await getHttpOperationsFromSpec(document), {
      validateRequest: true,
      validateResponse: true,
      checkSecurity: true,
      errors: true,
      mock: { dynamic: false },
      isProxy: false,
      upstreamProxy: undefined,
      logger: SILENT as never,
    });
    const server = createServer((request, response) => {
      void twilio.answer(request).then(({ status, data }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
      });
    });
    const twilio: PrismTwilio = new PrismTwilio(prism, server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return twilio;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  async answer(request: IncomingMessage): Promise<{ status: number; data: unknown }> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    const headers = request.headers as Record<string, string>;
    const method = request.method?.toLowerCase() as 'get' | 'post';
    try {
      const { status, data, violations } = await this.prism.request(request.url ?? '', {
        method,
        headers,
        ...(body !== '' && { body }),
      });
      this.seen.push({ status, violations: violations.input });
      return { status, data };
    } catch (error) {
      const { status = 500, detail, validation } = error as { status?: number } & Record<string, unknown>;
      this.seen.push({ status, violations: validation ?? detail });
      return { status, data: { status, code: 20001, message: 'not as documented' } };
    }
  }
}

interface Document {
  paths: Record<typeof CREATE, { post: { requestBody: { content: Record<string, { encoding?: object }> } } }>;
}

const nothing = () => undefined;
const SILENT = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
  success: nothing,
  child: () => SILENT,
} as const satisfies Record<string, unknown>;
