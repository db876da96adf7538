import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metrics } from '../../src/telemetry/metrics.js';

const deploy = (file: string) => readFileSync(join(__dirname, '../../deploy', file), 'utf8');

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}
const dashboard = JSON.parse(deploy('grafana/outdial.json')) as { panels: Panel[] };
const alerts = deploy('prometheus/alerts.yml');

const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alertExpressions = [...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression ?? '');

/** Labels that Prometheus itself gives to what it reads, and the bound of a histogram's bucket. */
const GIVEN_LABELS = ['instance', 'job', 'le'];

/** What processes expose: each name with its labels. */
async function exposed(): Promise<Map<string, string[]>> {
  const { registry } = new Metrics();
  const names = new Map<string, string[]>();
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
    const suffixes = String(type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const suffix of suffixes) names.set(name + suffix, labelNames);
  }
  return names;
}

/** The metrics of an expression with the labels that select them. */
function usedIn(expression: string): { name: string; labels: string[] }[] {
  const uses = expression.matchAll(/\b((?:outdial|nodejs|process)_\w+)(?:\{([^}]*)\})?/g);
  return [...uses].map(([, name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label ?? ''),
  }));
}

const groupedBy = (expression: string) =>
  [...expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '));

test('every panel and every alert has an expression', () => {
  for (const { title, type, targets } of dashboard.panels) {
    if (type !== 'row') expect([title, targets?.length]).not.toEqual([title, 0]);
  }
  expect(alertExpressions).toHaveLength(alerts.match(/- alert: /g)?.length ?? 0);
  expect(alertExpressions.length).toBeGreaterThan(5);
});

test.each([...panelExpressions, ...alertExpressions])('%s uses what there is', async (expression) => {
  const metrics = await exposed();
  const uses = usedIn(expression);
  expect(uses).not.toEqual([]);
  for (const { name, labels } of uses) {
    const known = metrics.get(name);
    expect([name, known !== undefined]).toEqual([name, true]);
    for (const label of [...labels, ...groupedBy(expression)]) {
      expect([...GIVEN_LABELS, ...(known ?? [])]).toContain(label);
    }
  }
  expect(expression.split('(').length).toBe(expression.split(')').length);
});

test('every metric of ours is on the dashboard', async () => {
  const shown = new Set(panelExpressions.flatMap(usedIn).map(({ name }) => name));
  const ours = [...(await exposed()).keys()].filter((name) => name.startsWith('outdial_'));
  const hidden = ours.filter((name) => !shown.has(name) && !/_(sum|count)$/.test(name));
  expect(hidden).toEqual([]);
});

test('every metric of ours is explained, and nothing else', async () => {
  const { registry } = new Metrics();
  const page = readFileSync(join(__dirname, '../../docs/monitoring.md'), 'utf8');
  const explained = new Set(page.match(/\boutdial_[a-z_]+/g));
  const ours = (await registry.getMetricsAsJSON())
    .map(({ name }) => name)
    .filter((name) => /^outdial_/.test(name));
  expect([...explained].sort()).toEqual(ours.sort());
});
