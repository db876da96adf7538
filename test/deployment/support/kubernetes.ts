import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Container,
  type EnvFromSource,
  type PodSpec,
  type PodTemplateSpec,
} from 'kubernetes-types/core/v1.js';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../../../tools/services/paths.js';

const DIRECTORY = join(repositoryRoot(), 'deploy/kubernetes');

/** A manifest as it was written; that it is one of the API's objects is for a test to show. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  [field: string]: unknown;
}

let read: { file: string; manifest: Manifest }[] | undefined;

/** Every object of `deploy/kubernetes`, with the file that it stands in; each test has objects of its own. */
export function manifests(): { file: string; manifest: Manifest }[] {
  read ??= readManifests();
  return structuredClone(read);
}

function readManifests(): { file: string; manifest: Manifest }[] {
  const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.yaml'));
  return files.sort().flatMap((file) =>
    // Kubernetes reads YAML 1.1, in which 0440 is octal and `yes` a boolean.
    parseAllDocuments(readFileSync(join(DIRECTORY, file), 'utf8'), { version: '1.1' }).map((document) => {
      const problem = [...document.errors, ...document.warnings][0];
      if (problem) throw new Error(`${file}: ${problem.message}`);
      return { file, manifest: document.toJS() as Manifest };
    }),
  );
}

export function manifest(kind: string, name: string): Manifest {
  const found = manifests().find((one) => one.manifest.kind === kind && one.manifest.metadata.name === name);
  if (!found) throw new Error(`deploy/kubernetes has no ${kind} ${name}`);
  return found.manifest;
}

/** What runs pods, by its component. */
export const WORKLOADS = {
  api: { kind: 'Deployment', name: 'outdial-api' },
  worker: { kind: 'Deployment', name: 'outdial-worker' },
  migrations: { kind: 'Job', name: 'outdial-migrations' },
} as const;

export type Workload = keyof typeof WORKLOADS;

export function templateOf(workload: Workload): PodTemplateSpec {
  const { kind, name } = WORKLOADS[workload];
  return (manifest(kind, name).spec as { template: PodTemplateSpec }).template;
}

/** The pod, and its one container. */
export function podOf(workload: Workload): { pod: PodSpec; container: Container } {
  const pod = templateOf(workload).spec;
  const [container, ...others] = pod?.containers ?? [];
  if (!pod || !container || others.length > 0) throw new Error(`${workload} has not one container`);
  return { pod, container };
}

/** What the container finds in its environment, as the API server would put it together. */
export function environmentOf({ envFrom = [], env = [] }: Container): Record<string, string> {
  const own = env.map(({ name, value }) => {
    if (value === undefined) throw new Error(`${name} comes from elsewhere`);
    return [name, value] as const;
  });
  const given = envFrom.map(dataOf).flatMap((data) => Object.entries(data));
  return Object.fromEntries([...given, ...own]);
}

function dataOf({ configMapRef, secretRef }: EnvFromSource): Record<string, string> {
  if (!configMapRef?.name || secretRef) throw new Error('An environment is a ConfigMap, and holds no secret');
  return manifest('ConfigMap', configMapRef.name).data as Record<string, string>;
}

/** What a secret's volume has, by the path of each file in the container. */
export function secretFilesOf(pod: PodSpec, container: Container): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const volume = pod.volumes?.find((one) => one.name === name);
    if (!volume?.secret?.secretName) throw new Error(`The volume ${name} is no secret`);
    const values = manifest('Secret', volume.secret.secretName).stringData as Record<string, string>;
    for (const [key, value] of Object.entries(values)) files[`${mountPath}/${key}`] = value;
  }
  return files;
}
