import { CARRIER_SECRETS } from '../../carrier-accounts/sealed-columns.js';
import { ConfigError } from '../../config/config-error.js';
import { WEBHOOK_SECRETS } from '../../events/webhooks/sealed-columns.js';
import { USER_SECRETS } from '../../people/sealed-columns.js';
import { Reencryption } from '../../secrets/reencryption.service.js';
import { type SealedColumn } from '../../secrets/sealed-column.js';
import { StoredSecrets } from '../../secrets/stored-secrets.js';
import { type Command, done } from '../command.js';

/** Every column of sealed secrets. */
const SEALED_COLUMNS: readonly SealedColumn[] = [...WEBHOOK_SECRETS, ...USER_SECRETS, ...CARRIER_SECRETS];

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
