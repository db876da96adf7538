import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type OpenApiDocument, type Operation } from '../../src/http/openapi/document.js';

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** An operation and what is needed to recognise its requests. */
export interface KnownOperation {
  method: string;
  path: string;
  operation: Operation;
  address: RegExp;
}

/** Headers that depend on the request, or on the limit of the deployment. */
const SOMETIMES = /^(?:Idempotency-Replayed|RateLimit-.*)$/;

/** Checks answers against the document, and remembers which of the documented ones it has seen. */
export class Conformance {
  readonly operations: KnownOperation[];
  /** `operationId status`. */
  readonly seen = new Set<string>();
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(readonly document: OpenApiDocument) {
    this.ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      allErrors: true,
      // Each of hundreds of answers would have a copy of the schemas that it refers to.
      inlineRefs: false,
    });
    addFormats(this.ajv);
    this.ajv.addVocabulary([
      'components',
      'jsonSchemaDialect',
      'info',
      'paths',
      'servers',
      'tags',
      'x-tagGroups',
      'openapi',
    ]);
    this.ajv.addSchema({ ...strictly(document), $id: 'document' });
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method,
        path,
        operation,
        // As Express matches: case and a slash at the end do not matter.
        address: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/{\w+}/g, '[^/]+')}/?$`, 'i'),
      })),
    );
  }

  /** The operation that a request is for; HEAD is answered by GET. */
  find(method: string, path: string): KnownOperation | undefined {
    const asked = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();
    const found = this.operations.filter((known) => known.method === asked && known.address.test(path));
    // Controllers declare a path with a name before one with a parameter in its place.
    const parameters = (known: KnownOperation) => known.path.split('{').length;
    return found.sort((one, other) => parameters(one) - parameters(other))[0];
  }

  /** What is wrong with an answer to the operation, or null. */
  fault({ operation, method, path }: KnownOperation, answer: WireAnswer): string | null {
    const { operationId, responses } = operation;
    const response = responses[String(answer.status)];
    if (response === undefined) return `${operationId}: ${answer.status} is not documented: ${answer.text}`;
    const absent = Object.keys(response.headers).filter(
      (name) => !SOMETIMES.test(name) && answer.headers[name.toLowerCase()] === undefined,
    );
    // A number's limit is a 429 that only time lifts.
    const optional = answer.status === 429 || answer.status === 500 ? ['Retry-After'] : [];
    const missing = absent.filter((name) => !optional.includes(name));
    if (missing.length > 0) return `${operationId} ${answer.status}: without ${missing.join()}`;
    const contentTypes = Object.keys(response.content ?? {});
    const sentType = String(answer.headers['content-type']);
    const contentType = contentTypes.find((type) => sentType.startsWith(type)) ?? contentTypes[0];
    if (contentType === undefined) {
      if (answer.text !== '') return `${operationId} ${answer.status}: a body where none is documented`;
    } else {
      if (!sentType.startsWith(contentType))
        return `${operationId} ${answer.status}: ${sentType}, not ${contentType}`;
      const pointer = [path, method, 'responses', String(answer.status), 'content', contentType, 'schema'];
      const value: unknown = contentType === 'application/json' ? parsed(answer.text) : answer.text;
      const validate = this.validatorOf(`/paths/${pointer.map(escaped).join('/')}`);
      if (!validate(value)) {
        return `${operationId} ${answer.status}: ${this.ajv.errorsText(validate.errors)} in ${answer.text}`;
      }
    }
    this.seen.add(`${operationId} ${answer.status}`);
    return null;
  }

  /** Whether a value is valid by the schema at a JSON pointer into the document. */
  accepts(pointer: string, value: unknown): boolean {
    return this.validatorOf(pointer)(value);
  }

  /** Whether the document allows a request's body. */
  acceptsBody({ path, method, operation }: KnownOperation, body: unknown): boolean {
    const [type = 'application/json'] = Object.keys(operation.requestBody?.content ?? {});
    const steps = ['paths', path, method, 'requestBody', 'content', type, 'schema'];
    return this.accepts(`/${steps.map(escaped).join('/')}`, body);
  }

  /** Documented answers that {@link fault} has not been shown. */
  unseen(): string[] {
    return this.operations
      .flatMap(({ operation }) =>
        Object.keys(operation.responses).map((status) => `${operation.operationId} ${status}`),
      )
      .filter((name) => !this.seen.has(name));
  }

  private validatorOf(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = this.ajv.compile({ $ref: `document#${pointer}` });
    this.validators.set(pointer, compiled);
    return compiled;
  }
}

/** One step of a JSON pointer in a URI fragment. */
export function escaped(step: string): string {
  return encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A copy in which an object has no other keys than the documented ones, unless others are documented. */
function strictly<T>(node: T): T {
  if (Array.isArray(node)) return node.map(strictly) as T;
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, strictly<unknown>(value)]),
  );
  if (typeof copy.properties === 'object' && 'type' in copy && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy as T;
}
