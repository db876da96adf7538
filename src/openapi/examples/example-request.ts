import { type Operation } from '../../http/openapi/document.js';
import { CUSTOMER_EXAMPLES } from './customer-examples.js';
import { OPERATOR_EXAMPLES } from './operator-examples.js';
import { type OperationExample, PATH_VARIABLES, variableOf } from './operation-example.js';
import { OTHER_EXAMPLES } from './other-examples.js';
import { CREDENTIAL_VARIABLES } from './variables.js';

const EXAMPLES: Readonly<Record<string, OperationExample>> = {
  ...CUSTOMER_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  ...OTHER_EXAMPLES,
};

/** The request of an example, as both languages write it. */
export interface ExampleRequest extends OperationExample {
  operationId: string;
  /** In capitals. */
  method: string;
  /** Such as `/api/calls/{callRequestId}`. */
  route: string;
  /** The values of the parameters of the route, in their order. */
  parameters: string[];
  /** The name of the variable with the bearer token, or null. */
  credential: string | null;
  /** Whether an `Idempotency-Key` is honoured. */
  isIdempotent: boolean;
  /**
   * The kind of a successful answer: nothing, JSON, JSON with pages of `items`, JSON on each line, or text.
   */
  answer: 'nothing' | 'json' | 'list' | 'lines' | 'text';
}

/** The request of the operation's example, or null where it has none. */
export function exampleRequestOf(method: string, route: string, operation: Operation): ExampleRequest | null {
  const { operationId, security, parameters = [] } = operation;
  const example = EXAMPLES[operationId];
  if (example === undefined) return null;
  const [scheme] = security.flatMap(Object.keys);
  return {
    ...example,
    operationId,
    method: method.toUpperCase(),
    route,
    parameters: [...route.matchAll(/{(\w+)}/g)].map(([, name = '']) => valueOf(example, name, operationId)),
    credential: scheme === undefined ? null : (CREDENTIAL_VARIABLES[scheme] ?? null),
    isIdempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    answer: answerOf(operation),
  };
}

/** The address below the host. @param write writes each value of a parameter. */
export function addressOf({ route, parameters }: ExampleRequest, write: (value: string) => string): string {
  let index = 0;
  return route.replace(/{\w+}/g, () => write(parameters[index++] ?? ''));
}

function valueOf({ path }: OperationExample, name: string, operationId: string): string {
  const value = path?.[name] ?? PATH_VARIABLES[name];
  if (variableOf(value) === null || value === undefined)
    throw new Error(`the example of ${operationId} has no variable for ${name}`);
  return value;
}

function answerOf({ parameters = [], responses }: Operation): ExampleRequest['answer'] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const types = Object.keys(success?.content ?? {});
  if (types.length === 0) return 'nothing';
  if (types.includes('application/x-ndjson')) return 'lines';
  if (!types.includes('application/json')) return 'text';
  return parameters.some(({ name }) => name === 'limit') ? 'list' : 'json';
}
