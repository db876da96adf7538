import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema } from '../json-schema.js';

/**
 * Collects the schemas that have a title, so that each schema is written once, and generated clients have one
 * type for it.
 */
export class SchemaComponents {
  private readonly byTitle = new Map<string, JsonSchema>();

  /**
   * The schema with a reference in place of each part that has a title.
   *
   * @throws Error when two different schemas have one title, which is a mistake of ours.
   */
  refer(schema: JsonSchema): JsonSchema {
    const parts: JsonSchema = { ...schema };
    if (schema.items) parts.items = this.refer(schema.items);
    if (schema.contentSchema) parts.contentSchema = this.refer(schema.contentSchema);
    if (schema.anyOf) parts.anyOf = schema.anyOf.map((part) => this.refer(part));
    if (typeof schema.additionalProperties === 'object')
      parts.additionalProperties = this.refer(schema.additionalProperties);
    if (schema.properties) {
      parts.properties = Object.fromEntries(
        Object.entries(schema.properties).map(([name, property]) => [name, this.refer(property)]),
      );
    }
    const { title } = schema;
    if (title === undefined) return parts;
    const known = this.byTitle.get(title);
    if (known !== undefined && !isDeepStrictEqual(known, parts))
      throw new Error(`two different schemas are called ${title}`);
    this.byTitle.set(title, parts);
    return { $ref: `#/components/schemas/${title}` };
  }

  schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.byTitle].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
