import { TypedJson } from './field-options.js';
import { fieldsOf, type Operation } from './operations.js';

/**
 * The fields of a request by their names. `teamId` is the team that the command works in, also of an operation
 * that over HTTP knows the team by its key.
 */
export type OperationInput = Readonly<Record<string, unknown>>;

/**
 * Asks for an operation, and returns its answer. It is how commands reach the service.
 * @throws AppError with which the operation is refused.
 */
export type Dispatch = (operation: Operation, input: OperationInput) => Promise<unknown>;

/** A request as its fields are sent. `body` is JSON; it is empty for an operation that reads none. */
export interface SentRequest {
  params: Record<string, string>;
  query: Record<string, string>;
  body: string;
}

/** Which part of a request each field goes to. Fields that are undefined are not sent. */
export function sentRequest(operation: Operation, input: OperationInput): SentRequest {
  const fields = fieldsOf(operation);
  const sent = { path: {} as Record<string, string>, query: {} as Record<string, string> };
  const members: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || (name === 'teamId' && !(name in fields))) continue;
    const place = fields[name]?.in;
    if (place === undefined) throw new Error(`${operation.operation.id} has no field ${name}`);
    if (place === 'body') members.push(`${JSON.stringify(name)}:${jsonOf(value)}`);
    else sent[place][name] = (value as string | number | boolean).toString();
  }
  const hasBody = Object.values(fields).some((field) => field.in === 'body');
  return { params: sent.path, query: sent.query, body: hasBody ? `{${members.join(',')}}` : '' };
}

function jsonOf(value: unknown): string {
  return value instanceof TypedJson ? value.text : JSON.stringify(value);
}
