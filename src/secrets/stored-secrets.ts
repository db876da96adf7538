import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { isSealed, SecretNotOpened, type SecretPlace, type Secrets } from './secrets.js';
import { SECRETS } from './secrets.token.js';

/**
 * The values of columns that held plain text before the first `SECRETS_KEY`. Such values go on; without a key, new
 * ones are plain, too.
 */
@Injectable()
export class StoredSecrets implements OnModuleInit {
  private readonly logger = new Logger('Secrets');

  constructor(@Inject(SECRETS) private readonly secrets: Secrets | null) {}

  /** Whether there is a key. */
  get sealing(): boolean {
    return this.secrets !== null;
  }

  onModuleInit(): void {
    if (this.sealing) return;
    this.logger.warn(
      'SECRETS_KEY is not set: secrets of webhook endpoints are stored in plain text, and no second factor (TOTP) can be turned on',
    );
  }

  /** @returns what the column stores. */
  stored(text: string, place: SecretPlace): string {
    return this.secrets === null ? text : this.secrets.seal(text, place);
  }

  /** @throws SecretNotOpened for a sealed value without its key, or of another place. */
  open(stored: string, place: SecretPlace): string {
    if (!isSealed(stored)) return stored;
    if (this.secrets === null) throw new SecretNotOpened(place, 'it is sealed, and SECRETS_KEY is not set');
    return this.secrets.open(stored, place);
  }

  /** The value sealed under the current key, or null if it is already. @throws SecretNotOpened, as {@link open}. */
  renewed(stored: string, place: SecretPlace): string | null {
    if (this.secrets === null || !this.secrets.isOutdated(stored)) return null;
    return this.secrets.seal(this.open(stored, place), place);
  }
}
