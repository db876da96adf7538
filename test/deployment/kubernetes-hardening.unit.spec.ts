import 'reflect-metadata';
import { type PodTemplateSpec } from 'kubernetes-types/core/v1.js';
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
import { examplesOf } from './support/kubernetes-configuration.js';

const NAMES = Object.keys(WORKLOADS) as Workload[];
const SERVERS: Workload[] = ['api', 'worker'];

describe('secrets', () => {
  const keysOf = (workload: Workload) => {
    const { pod, container } = podOf(workload);
    return Object.keys(secretFilesOf(pod, container)).map((path) => path.split('/').at(-1));
  };

  test('each process has its own secret with only what it needs', () => {
    const names = NAMES.map((workload) => podOf(workload).pod.volumes?.[0]?.secret?.secretName);
    expect(names).toEqual(['outdial-api', 'outdial-worker', 'outdial-migrations']);
    const shared = ['database-url', 'redis-url', 'metrics-token', 'erasure-key', 'secrets-key'];
    expect(keysOf('api').sort()).toEqual(
      [...shared, 'bull-board-password', 'database-operator-url', 'operator-token'].sort(),
    );
    expect(keysOf('worker').sort()).toEqual([...shared].sort());
    expect(keysOf('migrations')).toEqual(['database-url']);
  });

  test('the running processes log in as a role that owns nothing', () => {
    const userOf = (workload: Workload, key: string) => {
      const { pod, container } = podOf(workload);
      return new URL(secretFilesOf(pod, container)[`/run/secrets/outdial/${key}`] ?? '').username;
    };
    for (const workload of SERVERS) expect(userOf(workload, 'database-url')).toBe('outdial_login');
    expect(userOf('api', 'database-operator-url')).toBe('outdial');
    expect(userOf('migrations', 'database-url')).toBe('outdial');
  });

  test.each(SERVERS)(
    'the example starts no %s: the operator chooses the carrier and creates the secrets',
    (workload) => {
      const { pod, container } = podOf(workload);
      const [env, files] = [environmentOf(container), secretFilesOf(pod, container)];
      expect(env).not.toHaveProperty('CARRIER');
      expect(() => examplesOf(env, files)).toThrow(/^ {2}CARRIER: is not set/m);
      for (const name of Object.keys(env).filter((one) => /(TOKEN|PASSWORD)_FILE$/.test(one))) {
        const refusal = new RegExp(`^  ${name.replace('_FILE', '')}: must not be a placeholder`, 'm');
        expect(() => examplesOf({ CARRIER: 'simulator', ...env }, files)).toThrow(refusal);
      }
    },
  );
});

test('the migrations do not start with the placeholder either', () => {
  const { pod, container } = podOf('migrations');
  expect(() => examplesOf(environmentOf(container), secretFilesOf(pod, container))).toThrow(
    'DATABASE_URL: must not have a placeholder as its password',
  );
});

describe('network policies', () => {
  interface Policy {
    podSelector: object;
    policyTypes: string[];
    ingress?: { ports: { port: string }[]; from?: object[] }[];
    egress?: { to?: { ipBlock: { cidr: string; except?: string[] } }[]; ports: { port: number }[] }[];
  }
  const policies = manifests().filter(({ manifest: one }) => one.kind === 'NetworkPolicy');
  const policy = (name: string) => manifest('NetworkPolicy', name).spec as Policy;

  test('deny all traffic that no other policy allows', () => {
    expect(policy('outdial-default-deny')).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  test('admit traffic only to the port of each process, from named namespaces', () => {
    for (const workload of SERVERS) {
      const { podSelector, ingress = [] } = policy(WORKLOADS[workload].name);
      expect(podSelector).toEqual({ matchLabels: templateOf(workload).metadata?.labels });
      const port = podOf(workload).container.ports?.[0]?.name;
      expect(ingress.map(({ ports }) => ports)).toEqual([[{ port }]]);
      for (const { from = [] } of ingress) expect(from.length).toBeGreaterThan(0);
    }
    const open = policies.filter(({ manifest: one }) => (one.spec as Policy).ingress !== undefined);
    expect(open).toHaveLength(SERVERS.length + 1);
  });

  test('clients reach the API only through the proxy, which reaches nothing else', () => {
    const proxy = manifest('Deployment', 'outdial-proxy').spec as { template: PodTemplateSpec };
    const ofProxy = { matchLabels: proxy.template.metadata?.labels };
    const ofApi = { matchLabels: templateOf('api').metadata?.labels };
    const [toApi] = policy('outdial-api').ingress ?? [];
    expect(toApi?.from).toEqual([
      { podSelector: ofProxy },
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]);
    const own = policy('outdial-proxy');
    expect(own.podSelector).toEqual(ofProxy);
    expect(own.ingress?.map(({ ports }) => ports)).toEqual([[{ port: 'proxy' }]]);
    expect(own.egress).toEqual([{ to: [{ podSelector: ofApi }], ports: [{ port: 3_000, protocol: 'TCP' }] }]);
    const others = JSON.stringify(policy('outdial-database').podSelector);
    expect(others).toContain('"operator":"NotIn","values":["proxy"]');
  });

  test('allow names, Postgres, Redis and carriers, but no cloud’s metadata', () => {
    const rules = policies.flatMap(({ manifest: one }) => (one.spec as Policy).egress ?? []);
    expect(rules.map(({ ports }) => ports.map(({ port }) => port))).toEqual([
      [3_000],
      [53, 53],
      [5432],
      [6379],
      [443],
    ]);
    const [internet] = rules.at(-1)?.to ?? [];
    expect(internet?.ipBlock.except).toEqual(
      expect.arrayContaining(['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32']),
    );
  });
});
