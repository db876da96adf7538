/**
 * `npm run bench [-- <name>] [options]`: one of the measurements of speed. Without a name, how close Outdial comes
 * to what its parts can do, or with `--against <commit>` a comparison with another build. The options of each are
 * described in its file under `tools/bench/`.
 */
const MEASUREMENTS: Record<string, () => Promise<unknown>> = {
  floors: () => import('./bench/run.js'),
  scale: () => import('./bench/scale.js'),
  retention: () => import('./bench/retention.js'),
  herd: () => import('./bench/herd.js'),
  campaigns: () => import('./bench/campaigns.js'),
  webhooks: () => import('./bench/webhooks.js'),
  forecast: () => import('./bench/forecast.js'),
  imports: () => import('./bench/imports.js'),
  registers: () => import('./bench/registers.js'),
  compliance: () => import('./bench/compliance.js'),
};
const DEFAULT = 'floors';

async function main(): Promise<void> {
  const [first] = process.argv.slice(2);
  const name = first === undefined || first.startsWith('-') ? DEFAULT : first;
  const start = Object.hasOwn(MEASUREMENTS, name) ? MEASUREMENTS[name] : undefined;
  if (start === undefined) {
    console.error(`There is no measurement "${name}". There are: ${Object.keys(MEASUREMENTS).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  // Each of them reads the arguments when it is loaded.
  if (name === first) process.argv.splice(2, 1);
  await start();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
