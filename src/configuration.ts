import { CARRIERS, type CarrierConfig } from './carriers/registry.js';
import { type Config } from './config/config.js';
import { ConfigLoader } from './config/config-loader.js';

/** Every setting of a deployment: Outdial's own, and those that the carriers declare. */
export type Configuration = Config & CarrierConfig;

const loader = new ConfigLoader<CarrierConfig>(CARRIERS);

/** All variables, in the order of `.env.example`. */
export const VARIABLES = loader.variables;

/** See {@link ConfigLoader.load}. */
export const loadConfig = (env?: NodeJS.ProcessEnv): Configuration => loader.load(env);

/** See {@link ConfigLoader.loadForWorker}. */
export const loadWorkerConfig = (env?: NodeJS.ProcessEnv): Configuration => loader.loadForWorker(env);

/** See {@link ConfigLoader.loadCarriers}. */
export const loadCarrierConfig = (env?: NodeJS.ProcessEnv): Partial<Configuration> =>
  loader.loadCarriers(env);

/** See {@link ConfigLoader.loadLinks}. */
export const loadLinkConfig = (env?: NodeJS.ProcessEnv): Partial<Configuration> => loader.loadLinks(env);

/** See {@link ConfigLoader.loadCompliance}. */
export const loadComplianceConfig = (env?: NodeJS.ProcessEnv): Partial<Configuration> =>
  loader.loadCompliance(env);

/** See {@link ConfigLoader.takeFileVariables}. */
export const takeFileVariables = (env?: NodeJS.ProcessEnv): void => loader.takeFileVariables(env);
