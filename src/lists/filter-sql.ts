import { type FilterOf, type FilterValues, type ListFilter, type ListFilters } from '../http/filters.js';

/** A filter with its condition in SQL. */
export interface SqlFilter<Value = unknown> extends ListFilter<Value> {
  /** The type of the value in SQL. */
  type: string;
  /** SQL: whether a row matches. @param value SQL for the value. */
  matches: (value: string) => string;
}

export function inSql<Value>(
  filter: ListFilter<Value>,
  type: string,
  matches: (value: string) => string,
): SqlFilter<Value> {
  return { ...filter, type, matches };
}

/** Behind every text that begins with another: the last of all characters. */
const LAST = `E'\\U0010FFFF'`;

/** SQL: a text begins with another, by an index of `text_pattern_ops`. Both are SQL. */
export const beginsWith = (text: string, sought: string): string =>
  `${text} ~>=~ ${sought} AND ${text} ~<~ (${sought} || ${LAST})`;

function conditionOf(filter: ListFilter): SqlFilter | null {
  return 'matches' in filter ? (filter as SqlFilter) : null;
}

/** SQL: the filters that are set, for a statement that is written for them. @param parameter adds a value. */
export function writtenConditions<Filters extends ListFilters>(
  filters: Filters,
  values: FilterValues<Filters>,
  parameter: (value: unknown, type: string) => string,
): string[] {
  return Object.entries(filters).flatMap(([name, filter]) => {
    const condition = conditionOf(filter);
    const value: unknown = values[name];
    if (condition === null || value === null) return [];
    return [condition.matches(parameter(value, condition.type))];
  });
}

/** The parameters of filters in a prepared statement; null: the filter was not sent. */
export class FilterColumns<Filters extends ListFilters> {
  private readonly names: FilterOf<Filters>[];

  /** @param first the number of the first parameter. The filters with a condition have one each. */
  constructor(
    private readonly filters: Filters,
    private readonly first: number,
  ) {
    this.names = Object.keys(filters).filter((name) => 'matches' in (filters[name] as ListFilter));
  }

  /** SQL: the parameter of a filter. */
  at(name: FilterOf<Filters>): string {
    return `$${this.first + this.names.indexOf(name)}`;
  }

  /** SQL: whether a row matches the filters, besides one that the statement applies itself. */
  matches(besides?: FilterOf<Filters>): string {
    const conditions = this.names.flatMap((name) => {
      const condition = conditionOf(this.filters[name] as ListFilter);
      if (condition === null || name === besides) return [];
      return [`(${this.at(name)}::${condition.type} IS NULL OR ${condition.matches(this.at(name))})`];
    });
    return conditions.join(' AND ');
  }

  /** The values of the parameters, in their order. */
  values(values: Record<FilterOf<Filters>, unknown>): unknown[] {
    return this.names.map((name) => values[name]);
  }
}
