import { type ServerResponse } from 'node:http';

/**
 * Answers with JSON. Express' own method also checks caches and content types, at a cost for every answer.
 */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
