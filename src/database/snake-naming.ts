import { DefaultNamingStrategy } from 'typeorm';

/**
 * Columns are snake_case in Postgres and camelCase here. Everything else is named by hand, as the migrations
 * name it.
 */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
