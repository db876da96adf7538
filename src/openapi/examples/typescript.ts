import { CLIENT_METHODS } from '../client-methods.js';
import { addressOf, type ExampleRequest } from './example-request.js';
import { type ExampleValue, variableOf } from './operation-example.js';
import { sourceOf } from './typescript-value.js';

/** The request as a module of TypeScript: with the client where it has a method, else with `fetch`. */
export function typescriptOf(request: ExampleRequest): string {
  const method = CLIENT_METHODS[request.operationId];
  return method === undefined ? withFetch(request) : withClient(request, method);
}

const ENVIRONMENT = 'const env = process.env as Record<string, string>;';

function withClient(request: ExampleRequest, method: string): string {
  const { answer } = request;
  const call = `outdial.${method}(${argumentsOf(request).join(', ')})`;
  const item = nameOfItem(method);
  const statement = {
    list: `for await (const ${item} of ${call}) {\n  console.log(${item});\n}`,
    lines: `for await (const ${item} of ${call}) {\n  console.log(${item});\n}`,
    nothing: `await ${call};`,
    json: `console.log(await ${call});`,
    text: `console.log(await ${call});`,
  };
  return [
    `import { Outdial } from '@outdial/client';`,
    '',
    ENVIRONMENT,
    'const outdial = new Outdial({',
    '  baseUrl: env.OUTDIAL_URL,',
    '  apiKey: env.API_KEY,',
    '});',
    statement[answer],
  ].join('\n');
}

function argumentsOf({ parameters, query, body, file, saveAs }: ExampleRequest): string[] {
  const path = parameters.map((value) => sourceOf(value));
  if (file !== undefined) return [...path, sourceOf(file.text), sourceOf(query ?? {})];
  // The client always reads exports as lines of JSON, so its example has no `format`.
  const filters = Object.fromEntries(Object.entries(query ?? {}).filter(([name]) => name !== 'format'));
  // The client takes the fields of a body and of a query as one object.
  const sent = body !== undefined && query !== undefined ? { ...(body as object), ...query } : body;
  const chosen: ExampleValue | undefined = sent ?? (saveAs === undefined ? query : filters);
  const isEmpty = chosen === undefined || Object.keys(chosen as object).length === 0;
  return isEmpty ? path : [...path, sourceOf(chosen)];
}

function withFetch(request: ExampleRequest): string {
  const { method, query = {}, body, credential, answer } = request;
  const address = addressOf(request, (value) => `\${env.${variableOf(value)}}`);
  const search = new URLSearchParams(asTexts(query)).toString();
  const headers = [
    ...(credential === null ? [] : [`Authorization: \`Bearer \${env.${credential}}\``]),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: {\n    ${headers.join(',\n    ')},\n  }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${sourceOf(body, '  ')})`]),
  ];
  const url = `\`\${env.OUTDIAL_URL}${address}${search === '' ? '' : `?${search}`}\``;
  const shown = {
    nothing: 'response.status',
    json: 'await response.json()',
    list: 'await response.json()',
    lines: 'await response.text()',
    text: 'await response.text()',
  };
  return [
    ENVIRONMENT,
    `const url = ${url};`,
    `const response = await fetch(${options.length === 0 ? 'url' : `url, {\n  ${options.join(',\n  ')},\n}`});`,
    'if (!response.ok) throw new Error(await response.text());',
    `console.log(${shown[answer]});`,
  ].join('\n');
}

const asTexts = (query: NonNullable<ExampleRequest['query']>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

const ITEMS: Readonly<Record<string, string>> = {
  'imports.list': 'one',
  'imports.results': 'result',
  'campaigns.results': 'result',
  'webhookEndpoints.deliveries': 'delivery',
  'doNotCall.list': 'entry',
  'campaignVersions.list': 'version',
  'campaignEnrollments.list': 'enrollment',
  'numberPools.list': 'pool',
};

/** `calls.list` → `call`. */
function nameOfItem(method: string): string {
  const [resource = ''] = method.split('.');
  const last = /[A-Z]?[a-z]+$/.exec(resource)?.[0].toLowerCase() ?? 'items';
  return ITEMS[method] ?? last.replace(/s$/, '');
}
