import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { CampaignMetrics } from '../../src/telemetry/campaign-metrics.js';
import { ImportMetrics } from '../../src/telemetry/import-metrics.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { RegisterMetrics } from '../../src/telemetry/register-metrics.js';
import { WebhookMetrics } from '../../src/telemetry/webhook-metrics.js';

const deploy = (file: string) => readFileSync(join(__dirname, '../../deploy', file), 'utf8');

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}
const dashboard = JSON.parse(deploy('grafana/outdial.json')) as { panels: Panel[] };

/** As Prometheus reads them. */
interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
const rules = parse(deploy('prometheus/alerts.yml')) as { groups: { name: string; rules: Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);

const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alertExpressions = alerts.map(({ expr }) => expr);

/** The text of docs/operating.md between a heading and the next one. */
function section(heading: string): string {
  const page = readFileSync(join(__dirname, '../../docs/operating.md'), 'utf8');
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ', 1)[0] ?? '';
}

/** Labels that Prometheus itself gives to what it reads, and the bound of a histogram's bucket. */
const GIVEN_LABELS = ['instance', 'job', 'le'];

/** What processes expose: each name with its labels. */
async function exposed(): Promise<Map<string, string[]>> {
  const metrics = new Metrics();
  new CampaignMetrics(metrics);
  new ImportMetrics(metrics);
  new RegisterMetrics(metrics);
  new WebhookMetrics(metrics);
  metrics.collectProcess();
  const { registry } = metrics;
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
  expect(alertExpressions.length).toBeGreaterThan(5);
});

test('the rules are valid for Prometheus: each alert once, with all labels and texts', () => {
  expect(Object.keys(rules)).toEqual(['groups']);
  for (const group of rules.groups) expect(Object.keys(group)).toEqual(['name', 'rules']);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const alert of alerts) {
    expect(Object.keys(alert)).toEqual(['alert', 'expr', 'for', 'labels', 'annotations']);
    expect(alert.alert).toMatch(/^Outdial[A-Z]\w+$/);
    expect(alert.for).toMatch(/^\d+m$/);
    expect(Object.keys(alert.labels)).toEqual(['severity']);
    expect(['warning', 'critical']).toContain(alert.labels.severity);
    expect(Object.keys(alert.annotations)).toEqual(['summary', 'description']);
    for (const text of Object.values(alert.annotations))
      expect(text.split('{{').length).toBe(text.split('}}').length);
  }
});

/** Where the grammar of PromQL does not agree. */
function faultsOf(expression: string): number[] {
  const faults: number[] = [];
  // Grafana fills its variables in before it asks.
  parser.parse(expression.replaceAll('$__rate_interval', '1m')).iterate({
    enter: ({ type, from }) => void (type.isError && faults.push(from)),
  });
  return faults;
}

test.each([...panelExpressions, ...alertExpressions])('%s is valid PromQL', (expression) => {
  expect(faultsOf(expression)).toEqual([]);
});

test('an invalid expression is detected', () => {
  for (const wrong of ['sum by le) (x)', 'rate(x[5m]) or or y', 'max(x{a=b})'])
    expect([wrong, faultsOf(wrong)]).not.toEqual([wrong, []]);
});

test.each([...panelExpressions, ...alertExpressions])(
  '%s uses existing metrics and labels',
  async (expression) => {
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
  },
);

test('every metric is on the dashboard', async () => {
  const shown = new Set(panelExpressions.flatMap(usedIn).map(({ name }) => name));
  const ours = [...(await exposed()).keys()].filter((name) => name.startsWith('outdial_'));
  const hidden = ours.filter((name) => !shown.has(name) && !/_(sum|count)$/.test(name));
  expect(hidden).toEqual([]);
});

test('exactly the existing metrics are explained', async () => {
  const metrics = new Metrics();
  new CampaignMetrics(metrics);
  new ImportMetrics(metrics);
  new RegisterMetrics(metrics);
  new WebhookMetrics(metrics);
  const { registry } = metrics;
  const explained = section('Metrics')
    .match(/^\| .*?(?= \| )/gm)
    ?.flatMap((cell) => cell.match(/\boutdial_\w+/g) ?? []);
  const ours = (await registry.getMetricsAsJSON())
    .map(({ name }) => name)
    .filter((name) => /^outdial_/.test(name));
  expect(explained?.sort()).toEqual(ours.sort());
});

test('exactly the existing alerts are explained, each with its severity', () => {
  const rows = section('Alerts').matchAll(/^\| `(\w+)` +\| (\w+)/gm);
  const explained = [...rows].map(([, alert = '', severity]) => [alert, severity]);
  expect(explained).toEqual(alerts.map(({ alert, labels }) => [alert, labels.severity]));
});
