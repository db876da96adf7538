import { ComplianceConfig } from './compliance.config.js';
import { Config, CONFIG_PARTS } from './config.js';
import { type ConfigPart, isSet, problemOf, propertyName, readPart, variablesOf } from './config-part.js';
import { readFileVariables } from './file-variables.js';
import { checkJournal } from './journal.config.js';
import { checkMail } from './mail.config.js';
import { checkOidc } from './oidc.config.js';
import { checkSecretsKeys } from './operations.config.js';
import { PacksConfig } from './packs.config.js';
import { type Problems, throwFor } from './problems.js';
import { checkCluster } from './redis.config.js';

/** What a carrier declares to the configuration. */
export interface DeclaredCarrier {
  /** Its name for `CARRIER`. */
  name: string;
  config: ConfigPart;
  /** Variables without which it cannot dial. */
  required: readonly string[];
}

/** A worker does not need these. */
const ONLY_FOR_THE_API = ['OPERATOR_TOKEN', 'OIDC_CLIENT_SECRET'];

/** The variables that carriers read in addition to their own. */
const SHARED_WITH_CARRIERS = ['CARRIER', 'PUBLIC_URL'];
/** The variables of commands that make links. */
const OF_LINKS = ['PUBLIC_URL', 'PORT', 'SMTP_URL', 'SMTP_FROM'];
type LinkConfig = Pick<Config, 'publicUrl' | 'port' | 'smtpUrl' | 'smtpFrom'>;

/**
 * Reads and validates the configuration: Outdial's own parts and those of the declared carriers. Empty
 * variables count as unset. A variable can also be read from a file. The path of the file is then in the
 * variable with `_FILE` after the name.
 */
export class ConfigLoader<CarrierConfig extends object> {
  private readonly carrierParts: readonly ConfigPart[];
  /** All variables, in the order of `.env.example`. */
  readonly variables: readonly string[];

  constructor(private readonly carriers: readonly DeclaredCarrier[]) {
    this.carrierParts = carriers.map(({ config }) => config);
    this.variables = [...CONFIG_PARTS, ...this.carrierParts].flatMap(variablesOf);
  }

  /** @throws ConfigError naming every variable that is missing or bad. */
  load(outer: NodeJS.ProcessEnv = process.env): Config & CarrierConfig {
    const { config, problems } = this.read(outer);
    throwFor(problems, this.variables);
    return config;
  }

  /**
   * As {@link load}, for a worker: it serves no operator, so `OPERATOR_TOKEN` may be missing.
   *
   * @throws ConfigError naming every variable that is missing or bad.
   */
  loadForWorker(outer: NodeJS.ProcessEnv = process.env): Config & CarrierConfig {
    const { config, problems } = this.read(outer, ONLY_FOR_THE_API);
    throwFor(problems, this.variables);
    return config;
  }

  /**
   * The variables of carriers, for commands that need nothing else. Problems of other variables are ignored,
   * and `CARRIER` may be missing.
   *
   * @throws ConfigError naming every bad variable of a carrier.
   */
  loadCarriers(outer: NodeJS.ProcessEnv = process.env): Partial<Config & CarrierConfig> {
    const { config, problems } = this.read(outer, ['CARRIER']);
    const names = [...SHARED_WITH_CARRIERS, ...this.carrierParts.flatMap(variablesOf)];
    this.throwForThose(names, problems);
    const { carrier, publicUrl } = config;
    const own = this.carrierParts.flatMap(variablesOf).map(propertyName);
    const entries = Object.entries(config).filter(([property]) => own.includes(property));
    return { carrier, publicUrl, ...Object.fromEntries(entries) } as Partial<Config & CarrierConfig>;
  }

  /**
   * The variables that commands need for links to pages and for e-mails.
   *
   * @throws ConfigError naming every bad one of them.
   */
  loadLinks(outer: NodeJS.ProcessEnv = process.env): LinkConfig {
    const { config, problems } = this.read(outer, ['CARRIER']);
    this.throwForThose(OF_LINKS, problems);
    const { publicUrl, port, smtpUrl, smtpFrom } = config;
    return { publicUrl, port, smtpUrl, smtpFrom };
  }

  /**
   * The variables of lawful calling, for commands.
   *
   * @throws ConfigError naming every bad one of them.
   */
  loadCompliance(outer: NodeJS.ProcessEnv = process.env): ComplianceConfig & PacksConfig {
    const { config, problems } = this.read(outer, ['CARRIER']);
    this.throwForThose([ComplianceConfig, PacksConfig].flatMap(variablesOf), problems);
    const { complianceDefaultMode, packsDir, packsRaise } = config;
    return { complianceDefaultMode, packsDir, packsRaise };
  }

  /**
   * Replaces the variables of `env` that point to files by the files' content, for programs that pass their
   * environment on.
   *
   * @throws ConfigError naming every variable whose file is bad.
   */
  takeFileVariables(env: NodeJS.ProcessEnv = process.env): void {
    const read = readFileVariables(env, this.variables);
    throwFor(read.problems, this.variables);
    for (const name of this.variables) {
      delete env[`${name}_FILE`];
      if (read.env[name] !== undefined) env[name] = read.env[name];
    }
  }

  /** @throws ConfigError for the problems of the variables with these names; others are ignored. */
  private throwForThose(names: readonly string[], problems: Problems): void {
    throwFor(new Map([...problems].filter(([name]) => names.includes(name))), this.variables);
  }

  /** @param mayBeMissing required variables that this reader does not need. */
  private read(
    outer: NodeJS.ProcessEnv,
    mayBeMissing: readonly string[] = [],
  ): { config: Config & CarrierConfig; problems: Problems } {
    const { env, problems } = readFileVariables(outer, this.variables);
    const present: Record<string, string> = {};
    for (const [name, value] of Object.entries(env)) {
      if (value !== undefined && value !== '') present[name] = value;
    }
    const optional = new Set(mayBeMissing);
    this.checkDefaultCarrier(present.CARRIER, optional, problems);
    const config = new Config();
    for (const part of [...CONFIG_PARTS, ...this.carrierParts]) {
      Object.assign(config, readPart(part, present, optional, problems));
    }
    if (problems.size === 0) checkCluster(config, problems);
    if (problems.size === 0) checkJournal(config, problems);
    if (!problems.has('SECRETS_KEY_PREVIOUS')) checkSecretsKeys(config, problems);
    if (!problems.has('SMTP_URL') && !problems.has('SMTP_FROM')) checkMail(config, problems);
    checkOidc(config, optional, problems);
    if (problems.size === 0 && isSet(config, 'CARRIER')) this.checkNeeds(config, problems);
    return { config: config as Config & CarrierConfig, problems };
  }

  private checkDefaultCarrier(
    carrier: string | undefined,
    optional: ReadonlySet<string>,
    problems: Problems,
  ): void {
    const names = this.carriers.map(({ name }) => name);
    if (carrier === undefined ? optional.has('CARRIER') : names.includes(carrier)) return;
    // If the file of the variable cannot be read, this problem is reported already.
    if (problems.has('CARRIER')) return;
    const rule = `must be one of the following values: ${names.join(', ')}`;
    problems.set('CARRIER', problemOf('CARRIER', carrier, rule));
  }

  /**
   * The default carrier must be able to dial. A carrier that is half configured would fail only at its first
   * call.
   */
  private checkNeeds(config: Config, problems: Problems): void {
    const missing = (name: string) => !isSet(config, name) && !problems.has(name);
    const declared = this.carriers.find(({ name }) => name === config.carrier);
    for (const name of declared?.required.filter(missing) ?? []) {
      problems.set(name, `${name}: is not set; CARRIER=${config.carrier} needs it`);
    }
    for (const [name, others] of this.carrierParts.flatMap(({ needs }) => Object.entries(needs ?? {}))) {
      if (!isSet(config, name)) continue;
      for (const other of others.filter(missing)) {
        problems.set(other, `${other}: is not set; ${name} needs it`);
      }
    }
  }
}
