import type { operations } from '../generated/schema.js';

/** The `operationId` of a customer operation in the API's document. */
export type OperationId = keyof operations;

type Json<Content> = Content extends { 'application/json': infer Value } ? Value : never;

/** The body of a request. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? Json<Content>
  : never;

/** The parameters in the query of a request. */
export type Query<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

/** The parameters in the path of a request. */
export type PathParameters<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>;

type Responses<Id extends OperationId> = operations[Id]['responses'];

/** The body of a success; undefined where it has none. */
export type Answer<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Responses<Id>[Status] extends { content: infer Content }
    ? Json<Content>
    : undefined;
}[keyof Responses<Id>];
