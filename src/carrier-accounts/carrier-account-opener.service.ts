import { Injectable, type Logger } from '@nestjs/common';
import { type CallbackAccount } from '../carriers/callbacks.js';
import { type CarrierAccount, type CarrierCredentials } from '../carriers/carrier.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { isUuid } from '../http/validators.js';
import { StoredSecrets } from '../secrets/stored-secrets.js';
import { describeError } from '../telemetry/describe-error.js';
import { placeOf } from './sealed-columns.js';

interface OpenedRow extends Record<string, unknown> {
  team_id: string;
  carrier: string;
  credentials: string;
  previous: string | null;
}

/** The security-definer function sees every team's account. $1 account. */
const ACCOUNT_OF: Statement = {
  name: 'carrier_account_of',
  text: 'SELECT team_id, carrier, credentials, previous FROM carrier_account_of($1)',
};

/**
 * Opens the credentials of carrier accounts for dials, look-ups, hang-ups, checks and reports. It keeps none of
 * them, so that a rotation takes effect at once.
 */
@Injectable()
export class CarrierAccountOpener {
  constructor(
    private readonly transactions: Transactions,
    private readonly secrets: StoredSecrets,
  ) {}

  /**
   * @returns null if the team has no such account at the carrier.
   * @throws SecretNotOpened, or an error of the database.
   */
  async open(id: string, carrier: string, teamId: string): Promise<CarrierAccount | null> {
    const row = await this.read(id, carrier);
    return row?.team_id === teamId ? { id, credentials: this.credentials(id, row.credentials) } : null;
  }

  /**
   * The account that a call's agent names, for a request that may be repeated later.
   *
   * @param id null: the account of the deployment, for which null is returned.
   * @returns `not_opened` after an error, which is logged without the credentials.
   */
  async openOf(
    id: string | null,
    carrier: string,
    logger: Logger,
  ): Promise<CarrierAccount | null | 'not_opened'> {
    if (id === null) return null;
    try {
      const row = await this.read(id, carrier);
      return row === undefined ? 'not_opened' : { id, credentials: this.credentials(id, row.credentials) };
    } catch (error) {
      logger.error({ message: `carrier account not opened: ${describeError(error)}`, carrier });
      return 'not_opened';
    }
  }

  /** The account that an address of reports names; null: there is none at the carrier. */
  async ofReports(id: string, carrier: string): Promise<CallbackAccount | null> {
    const row = isUuid(id) ? await this.read(id.toLowerCase(), carrier) : undefined;
    if (row === undefined) return null;
    const stored = [row.credentials, ...(row.previous === null ? [] : [row.previous])];
    return {
      teamId: row.team_id,
      credentials: stored.map((value) => this.credentials(id.toLowerCase(), value)),
    };
  }

  private async read(id: string, carrier: string): Promise<OpenedRow | undefined> {
    const [row] = await this.transactions.read<OpenedRow>(query(ACCOUNT_OF, id));
    return row?.carrier === carrier ? row : undefined;
  }

  private credentials(id: string, stored: string): CarrierCredentials {
    return JSON.parse(this.secrets.open(stored, placeOf(id))) as CarrierCredentials;
  }
}
