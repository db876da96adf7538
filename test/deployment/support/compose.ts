import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { repositoryRoot } from '../../../tools/services/paths.js';

/** As the Compose Specification names them; merged, as Compose reads them. */
export interface ComposeService {
  image?: string;
  build?: string;
  command?: string[];
  environment?: Record<string, string | number>;
  env_file?: string;
  user?: string;
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  restart?: string;
  stop_grace_period?: string;
  stop_signal?: string;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string; restart?: boolean }>;
  healthcheck?: { test: string[] };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
}

/** @throws Error where the file is no YAML, or says a thing twice. */
export function composeFile(): ComposeFile {
  const text = readFileSync(join(repositoryRoot(), 'docker-compose.yml'), 'utf8');
  const document = parseDocument(text, { merge: true, uniqueKeys: true });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  return document.toJS() as ComposeFile;
}
