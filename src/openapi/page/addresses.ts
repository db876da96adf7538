/** The list of objects. */
export const OBJECTS_URL = '/docs/objects';

/** The page of an operation. */
export const urlOfOperation = (operationId: string) => `/docs/operations/${operationId}`;

/** The anchor of an object on the page of the objects. */
export const anchorOfObject = (name: string) => `schema-${name}`;

export const urlOfObject = (name: string) => `${OBJECTS_URL}#${anchorOfObject(name)}`;
