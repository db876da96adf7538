import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { contractBody } from './error-answers.js';

export interface RawAnswer {
  status: number;
  body: unknown;
}

/**
 * Posts exactly these bytes, which a client library would not let pass; `Content-Type` is JSON unless given.
 */
export async function postRaw(
  api: NestExpressApplication,
  path: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const { port } = (api.getHttpServer() as { address(): AddressInfo }).address();
  const bytes = Buffer.from(body as string);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers },
    });
    sent.on('response', resolve).on('error', reject).end(bytes);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { statusCode: status = 0 } = response;
  const parsed = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  return { status, body: contractBody({ status, headers: response.headers, body: parsed }) };
}

/** The status of a GET whose request line has exactly this target, which a client library would put right. */
export async function statusOf(
  api: NestExpressApplication,
  target: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const { port } = (api.getHttpServer() as { address(): AddressInfo }).address();
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: target, headers, agent: false });
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}
