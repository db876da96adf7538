import { AppError, invalid, problemOf } from '../http/app-error.js';
import { type ApiClient } from './api-client.js';
import { type Dispatch, type OperationInput, sentRequest } from './dispatch.js';
import { fieldsOf, type Operation, operationByKey } from './operations.js';
import { OperatorOnlyError } from './usage-error.js';

/**
 * Dispatches over HTTP with a team's key. An operation of the operator is sent as the operation that the key has
 * instead. The key names the team.
 *
 * @throws also OperatorOnlyError for an operation that no key has; ApiFailure.
 */
export function dispatchByKey(client: ApiClient): Dispatch {
  return async (operation, input) => {
    const own = operationByKey(operation);
    if (own === undefined) throw noKeyHas(operation);
    const { params, query, body } = sentRequest(own, inputByKey(operation, own, input));
    return client.ask({
      method: own.method.toUpperCase(),
      path: pathOf(own, params),
      query: Object.entries(query),
      ...(body !== '' && { body, headers: { 'content-type': 'application/json' } }),
    });
  };
}

export function noKeyHas({ operation }: Operation): OperatorOnlyError {
  return new OperatorOnlyError(`no key has the operation ${operation.id}`);
}

/** The fields under the names that they have in the operation of the key. */
function inputByKey(operation: Operation, own: Operation, input: OperationInput): OperationInput {
  const known = fieldsOf(own);
  const parameters = operation.pathParameters.filter((name) => name !== 'teamId');
  const named = Object.entries(input)
    .filter(([name, value]) => name !== 'teamId' && value !== undefined)
    .map(([name, value]) => [own.pathParameters[parameters.indexOf(name)] ?? name, value] as const);
  const unknown = named.flatMap(([name]) =>
    name in known ? [] : [problemOf(`${name} is only for the operator, and not with OUTDIAL_API_KEY`)],
  );
  if (unknown.length > 0) throw invalid(...unknown);
  return Object.fromEntries(named);
}

/** @throws AppError `NOT_FOUND` for a value that would be another address. */
function pathOf({ path }: Operation, params: Record<string, string>): string {
  return path.replace(/{(\w+)}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (/^[.]{0,2}$/.test(value)) throw new AppError('NOT_FOUND', 'Not found');
    return encodeURIComponent(value);
  });
}
