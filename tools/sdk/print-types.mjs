import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

// Prints the types of the OpenAPI document that it reads. A program of its own, because the library is an ES
// module with a compiler.

const WANTED = ['components', 'operations'];

const nodes = await openapiTS(await text(process.stdin), { defaultNonNullable: false, silent: true });
process.stdout.write(astToString(nodes.filter(({ name }) => WANTED.includes(name?.escapedText))));
