import { ConfigError } from '../../config/config-error.js';
import { SEALED_COLUMNS } from '../../sealed-columns.js';
import { Reencryption } from '../../secrets/reencryption.service.js';
import { StoredSecrets } from '../../secrets/stored-secrets.js';
import { type Command, done } from '../command.js';

/** Secrets at rest. */
export const SECRETS_COMMANDS: readonly Command[] = [
  {
    name: 'secrets reencrypt',
    summary: 'Seal the secrets in the database that are plain or under SECRETS_KEY_PREVIOUS',
    run: async ({ service }) => {
      if (!service(StoredSecrets).sealing)
        throw new ConfigError('SECRETS_KEY: is not set; `secrets reencrypt` needs it');
      const counts = await service(Reencryption).run(SEALED_COLUMNS);
      return done(textOf(counts), counts);
    },
  },
];

const textOf = ({ sealed, unchanged }: { sealed: number; unchanged: number }): string =>
  `Sealed ${sealed} ${sealed === 1 ? 'secret' : 'secrets'} under SECRETS_KEY; ${unchanged} were sealed under it before.`;
