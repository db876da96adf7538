import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createClientFromOperations, type PrismHttp } from '@stoplight/prism-http/dist/client';

interface Seen {
  status: number;
  violations: unknown;
}

/** An API as its document describes it, played by Prism over HTTP. */
export class PrismApi {
  readonly seen: Seen[] = [];
  private constructor(
    private readonly prism: PrismHttp,
    private readonly server: Server,
  ) {}

  /**
   * @param path of the OpenAPI document. @param refusal what is answered to a request that it does not allow.
   * @param prepare changes the document where Prism cannot compile a schema, because it then checks nothing.
   */
  static async start<Document extends object>(
    path: string,
    refusal: object,
    prepare: (document: Document) => void = () => undefined,
  ): Promise<PrismApi> {
    const document = JSON.parse(readFileSync(path, 'utf8')) as Document;
    prepare(document);
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
      void api.answer(request, refusal).then(({ status, data }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
      });
    });
    const api: PrismApi = new PrismApi(prism, server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(
    request: IncomingMessage,
    refusal: object,
  ): Promise<{ status: number; data: unknown }> {
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    const headers = request.headers as Record<string, string>;
    const method = request.method?.toLowerCase() as 'get' | 'post';
    try {
      const { status, data, violations } = await this.prism.request(request.url ?? '', {
        method,
        headers,
        ...(body !== '' && { body: isJson(headers) ? (JSON.parse(body) as object) : body }),
      });
      this.seen.push({ status, violations: violations.input });
      return { status, data };
    } catch (error) {
      const { status = 500, detail, validation } = error as { status?: number } & Record<string, unknown>;
      this.seen.push({ status, violations: validation ?? detail });
      return { status, data: refusal };
    }
  }
}

/** Prism takes JSON as a value, and any other body, such as a form, as the text that was sent. */
const isJson = (headers: Record<string, string>) => headers['content-type'] === 'application/json';

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
