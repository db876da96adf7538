import { bodySchemaOf } from '../http/body-schema.js';
import { type JsonSchema } from '../http/json-schema.js';
import { parametersOf } from '../http/openapi/document.js';
import { type DocumentedRoute, routesOf } from '../http/openapi/routes.js';
import { CONTROLLERS } from '../openapi/api-document.js';

/** An operation of the API, as its document describes it. */
export type Operation = DocumentedRoute;

/** One field of a request. */
export interface OperationField {
  in: 'path' | 'query' | 'body';
  required: boolean;
  /** With the description of the field. */
  schema: JsonSchema;
}

const operations = new Map(CONTROLLERS.flatMap(routesOf).map((route) => [route.operation.id, route]));

/** @param id the `operationId`. @throws Error if there is none, which is a mistake of ours. */
export function operationNamed(id: string): Operation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`the API has no operation ${id}`);
  return operation;
}

/** An address without the names of its parameters, which differ between the routes of the operator and of a key. */
const shapeOf = (method: string, path: string) => `${method} ${path.replace(/{\w+}/g, '{}')}`;

const OF_TEAM = /^\/api\/admin\/teams\/{teamId}(?=\/)/;

const operationsByKey = new Map(
  [...operations.values()]
    .filter(({ about }) => about.surface === 'team')
    .map((operation) => [shapeOf(operation.method, operation.path), operation]),
);

/** Their commands name the team as an argument. A key would stop or resume its own team instead. */
const OF_NAMED_TEAM: ReadonlySet<string> = new Set(['stopTeam', 'resumeTeam']);

/**
 * The operation with which a team's key does what an operation of the operator does, which has the same address
 * below `/api`; undefined if only the operator can do it.
 */
export function operationByKey(operation: Operation): Operation | undefined {
  if (operation.about.surface === 'team') return operation;
  const { method, path } = operation;
  return OF_TEAM.test(path) && !OF_NAMED_TEAM.has(operation.operation.id)
    ? operationsByKey.get(shapeOf(method, path.replace(OF_TEAM, '/api')))
    : undefined;
}

/** The fields of an operation's requests by their names: those of the path, of the query, then of the body. */
export function fieldsOf(operation: Operation): Record<string, OperationField> {
  const fields: Record<string, OperationField> = {};
  for (const { name, in: place, required, description, schema } of parametersOf(operation)) {
    if (place !== 'header') fields[name] = { in: place, required, schema: { ...schema, description } };
  }
  const { body } = operation.input;
  const { properties = {}, required = [] } =
    body === undefined ? (operation.operation.body ?? {}) : bodySchemaOf(body);
  for (const [name, schema] of Object.entries(properties)) {
    if (name in fields) throw new Error(`${operation.operation.id} has two fields ${name}`);
    fields[name] = { in: 'body', required: required.includes(name), schema };
  }
  return fields;
}
