import 'reflect-metadata';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PodTemplateSpec, Probe } from 'kubernetes-types/core/v1.js';
import { DIAL_WITHIN_MS } from '../../src/dialing/dial.service.js';
import { CarrierRegistry } from '../../src/carriers/carrier-registry.js';
import { CarriersModule } from '../../src/carriers/carriers.module.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { type Config } from '../../src/config/config.js';
import { STOP_WITHIN_MS } from '../../src/operations/run-process.js';
import { repositoryRoot } from '../../tools/services/paths.js';
import { TypeChecker } from '../support/type-check.js';
import {
  environmentOf,
  manifest,
  manifests,
  podOf,
  secretFilesOf,
  templateOf,
  type Workload,
  WORKLOADS,
} from './support/kubernetes.js';
import { configurationOf } from './support/kubernetes-configuration.js';

const NAMES = Object.keys(WORKLOADS) as Workload[];
const SERVERS: Workload[] = ['api', 'worker'];

/** The type that the API gives to each kind. */
const MODULES: Record<string, string> = {
  'apps/v1': 'apps/v1',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  v1: 'core/v1',
};

describe('every manifest is an object of the Kubernetes API', () => {
  const checker = new TypeChecker(join(repositoryRoot(), 'test/deployment'));
  const typed = ({ apiVersion, kind }: { apiVersion: string; kind: string }, value: object) => {
    const from = `kubernetes-types/${MODULES[apiVersion] ?? apiVersion}.js`;
    // Of a literal, unknown fields are refused as well, as the server does with strict validation.
    return `import type { ${kind} } from '${from}';\nexport const it: ${kind} = ${JSON.stringify(value)};`;
  };

  test.each(manifests().map(({ file, manifest: one }) => [file, one.kind, one] as const))(
    '%s, %s',
    (_, __, one) => {
      expect(checker.faultsOf(typed(one, one))).toEqual([]);
      expect(one.metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      expect(one.kind === 'Namespace' ? one.metadata.name : one.metadata.namespace).toBe('outdial');
    },
  );

  test('an invalid object is detected', () => {
    const api = manifest('Deployment', 'outdial-api');
    const wrong = [
      { ...api, spec: { ...(api.spec as object), replica: 2 } },
      { ...api, spec: { ...(api.spec as object), replicas: 'two' } },
      { ...api, spec: { replicas: 2 } },
      { ...api, apiVersion: 'apps/v1beta1' },
    ];
    for (const one of wrong) expect(checker.faultsOf(typed(api, one))).not.toEqual([]);
  });

  test('no two objects have the same kind and name', () => {
    const names = manifests().map(({ manifest: one }) => `${one.kind} ${one.metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe.each(NAMES)('the pods of %s', (workload) => {
  const { pod, container } = podOf(workload);

  test('meet the security profile of the namespace', () => {
    const { metadata } = manifest('Namespace', 'outdial') as unknown as { metadata: { labels: object } };
    expect(metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.securityContext?.runAsUser).toBeGreaterThan(0);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const { secret } of pod.volumes ?? []) expect(secret).toBeDefined();
    for (const { readOnly } of container.volumeMounts ?? []) expect(readOnly).toBe(true);
  });

  test('run a program of this repository from one image, with limits on resources', () => {
    const options = workload === 'migrations' ? [] : ['--no-memory-reducer', '--v8-pool-size=1'];
    const program = container.args?.at(-1) ?? '';
    expect([container.args, container.command]).toEqual([['node', ...options, program], undefined]);
    const source = program.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    expect([program, existsSync(join(repositoryRoot(), source))]).toEqual([program, true]);
    const { version } = JSON.parse(readFileSync(join(repositoryRoot(), 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(container.image?.split(':')[1]).toBe(version);
    expect(Object.keys(container.resources?.requests ?? {})).toEqual(['cpu', 'memory']);
    expect(container.resources?.limits).toHaveProperty('memory');
  });

  test('have a valid configuration as environment, with their secrets in files', () => {
    const files = secretFilesOf(pod, container);
    const env = environmentOf(container);
    const named = Object.entries(env).filter(([name]) => name.endsWith('_FILE'));
    // Every secret that is mounted is read, and every one that is read is mounted.
    expect(named.map(([, path]) => path).sort()).toEqual(Object.keys(files).sort());
    expect(unknownNames(Object.keys(env))).toEqual([]);
    expect(Object.keys(env).filter((name) => /TOKEN$|PASSWORD$|_URL$/.test(name))).toEqual([]);
    expect(configurationOf(env, files)).toMatchObject(
      workload === 'migrations' ? {} : { nodeEnv: 'production', port: 3000, workerPort: 3001 },
    );
    expect(env.TZ).toBe('UTC');
    // Group and user of the process may read them, and no other account.
    const [volume] = pod.volumes ?? [];
    expect(volume?.secret?.defaultMode).toBe(0o440);
    expect(pod.securityContext?.fsGroup).toBe(pod.securityContext?.runAsGroup);
  });
});

describe.each(SERVERS)('the deployment of %s', (workload) => {
  const { pod, container } = podOf(workload);
  const labels = templateOf(workload).metadata?.labels ?? {};
  const { spec } = manifest('Deployment', WORKLOADS[workload].name) as never as {
    spec: { replicas: number; selector: { matchLabels: object }; strategy: { rollingUpdate: object } };
  };

  test('selects its own pods, like every object that refers to them, and no others', () => {
    expect(spec.selector.matchLabels).toEqual(labels);
    const budget = manifest('PodDisruptionBudget', WORKLOADS[workload].name).spec as {
      minAvailable: number;
      selector: { matchLabels: object };
    };
    expect(budget.selector.matchLabels).toEqual(labels);
    expect(budget.minAvailable).toBeLessThan(spec.replicas);
    for (const { labelSelector } of pod.topologySpreadConstraints ?? []) {
      expect(labelSelector?.matchLabels).toEqual(labels);
    }
    const all = NAMES.map((name) => JSON.stringify(templateOf(name).metadata?.labels));
    expect(new Set(all).size).toBe(NAMES.length);
  });

  test('is replaced without a gap', () => {
    expect(spec.replicas).toBeGreaterThan(1);
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  test('is probed on the port on which it listens', () => {
    const config = configurationOf(environmentOf(container), secretFilesOf(pod, container));
    const [port, ...others] = container.ports ?? [];
    expect(others).toEqual([]);
    expect(port?.containerPort).toBe(workload === 'api' ? config.port : config.workerPort);
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      expect(probe?.httpGet?.port).toBe(port?.name);
    }
  });

  test('has time to start, and is restarted only if it hangs', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    // The process itself waits for Postgres for half a minute.
    expect(secondsOf(startupProbe)).toBeGreaterThan(40);
    expect(secondsOf(livenessProbe)).toBeGreaterThanOrEqual(30);
    // Not when Postgres or Redis is away, which a restart does not mend.
    expect(livenessProbe?.httpGet?.path).toBe('/health/live');
    expect(readinessProbe?.timeoutSeconds).toBeGreaterThan(2);
  });

  test('has a longer stop period than its own shutdown, which is longer than any dial', async () => {
    const config = configurationOf(environmentOf(container), secretFilesOf(pod, container));
    expect(config.shutdownDelayMs).toBe(workload === 'api' ? 5_000 : 0);
    const graceMs = (pod.terminationGracePeriodSeconds ?? 0) * 1_000 - config.shutdownDelayMs;
    expect(graceMs).toBeGreaterThanOrEqual(STOP_WITHIN_MS + 5_000);
    expect(STOP_WITHIN_MS).toBeGreaterThan(DIAL_WITHIN_MS + (await longestDialMs(config)) + 10_000);
  });
});

test('requests reach only the API through the service', () => {
  const { selector, ports } = manifest('Service', 'outdial-api').spec as {
    selector: object;
    ports: { targetPort: string }[];
  };
  expect(selector).toEqual(templateOf('api').metadata?.labels);
  expect(ports.map(({ targetPort }) => targetPort)).toEqual([podOf('api').container.ports?.[0]?.name]);
  // It accepts calls while Redis is away.
  expect(podOf('api').container.readinessProbe?.httpGet?.path).toBe('/health/ready?without=redis');
});

test('the proxy has the shipped configuration, finds the API, and stops after its requests', () => {
  const { template } = manifest('Deployment', 'outdial-proxy').spec as { template: PodTemplateSpec };
  const [container, ...others] = template.spec?.containers ?? [];
  expect(others).toEqual([]);
  expect(template.spec?.securityContext).toEqual({
    ...podOf('api').pod.securityContext,
    runAsUser: 101,
    runAsGroup: 101,
    fsGroup: 101,
  });
  expect(container?.securityContext).toEqual(podOf('api').container.securityContext);
  const configuration = readFileSync(join(repositoryRoot(), 'deploy/nginx.conf'), 'utf8');
  expect(configuration).toContain(`listen ${container?.ports?.[0]?.containerPort} `);
  const service = (name: string) =>
    manifest('Service', name).spec as { selector: object; ports: { port: number; targetPort: string }[] };
  const { selector, ports } = service('api');
  expect(selector).toEqual(templateOf('api').metadata?.labels);
  expect(configuration).toContain(`server api:${ports[0]?.port};`);
  expect(ports[0]?.targetPort).toBe(podOf('api').container.ports?.[0]?.name);
  expect(service('outdial-proxy').selector).toEqual(template.metadata?.labels);
  expect(service('outdial-proxy').ports[0]?.targetPort).toBe(container?.ports?.[0]?.name);
  const page = readFileSync(join(repositoryRoot(), 'deploy/kubernetes/README.md'), 'utf8');
  const name = template.spec?.volumes?.[0]?.configMap?.name;
  expect(page).toContain(`create configmap ${name} --from-file=deploy/nginx.conf`);
  const directory = container?.volumeMounts?.[0]?.mountPath;
  expect(container?.args).toContain(`${directory}/nginx.conf`);
  expect(configuration).toContain(`include ${directory}/allow-list.conf;`);
});

test('the migration job ends in limited time and is removed', () => {
  const { backoffLimit, activeDeadlineSeconds } = manifest('Job', 'outdial-migrations').spec as {
    backoffLimit: number;
    activeDeadlineSeconds: number;
  };
  expect(podOf('migrations').pod.restartPolicy).toBe('Never');
  expect([backoffLimit, activeDeadlineSeconds]).toEqual([3, 600]);
});

test('the page of instructions applies every file once', () => {
  const page = readFileSync(join(repositoryRoot(), 'deploy/kubernetes/README.md'), 'utf8');
  const applied = [...page.matchAll(/kubectl apply (?:-f \S+ ?)+/g)].flatMap(([line]) =>
    [...line.matchAll(/-f deploy\/kubernetes\/(\S+)/g)].map(([, file]) => file),
  );
  const files = new Set(manifests().map(({ file }) => file));
  files.delete('secret.example.yaml');
  expect([...new Set(applied)].sort()).toEqual([...files].sort());
});

function secondsOf(probe: Probe | undefined): number {
  return (probe?.periodSeconds ?? 0) * (probe?.failureThreshold ?? 0);
}

/** Those that neither the configuration nor Node knows. */
function unknownNames(names: string[]): string[] {
  const example = readFileSync(join(repositoryRoot(), '.env.example'), 'utf8');
  const known = new Set([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
  return names.filter((name) => name !== 'TZ' && !known.has(name.replace(/_FILE$/, '')));
}

async function longestDialMs(config: Config): Promise<number> {
  class Dialing {}
  Module({ imports: [ConfigModule.forRoot(config), CarriersModule] })(Dialing);
  const app = await NestFactory.createApplicationContext(Dialing, { logger: false });
  try {
    return app.get(CarrierRegistry).longestTimeoutMs;
  } finally {
    await app.close();
  }
}
