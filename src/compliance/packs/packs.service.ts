import { type Pack, type PackRule } from '../../domain/compliance/pack.js';
import { jurisdictionsOf } from '../../domain/compliance/jurisdictions-of.js';
import { contentOf } from './pack-content.js';

/** A rule, and the pack that it is of. */
export interface RuleOfPack {
  pack: Pack;
  rule: PackRule;
}

interface Known {
  all: readonly Pack[];
  byName: ReadonlyMap<string, Pack>;
}

/** The packs of this process. They are read once, at the first use, and do not change while it runs. */
export class Packs {
  private known: Known | undefined;
  private readonly ofPlaces = new Map<string, readonly Pack[]>();

  constructor(private readonly read: () => readonly Pack[]) {}

  /** Sorted by name. */
  get all(): readonly Pack[] {
    return this.load().all;
  }

  get(name: string): Pack | undefined {
    return this.load().byName.get(name);
  }

  /**
   * Reads the packs, unless they are read. Processes do so at their start, because it takes a tenth of a second.
   *
   * @throws ConfigError naming what is wrong.
   */
  load(): Known {
    if (this.known !== undefined) return this.known;
    const all = [...this.read()].sort((a, b) => (a.pack < b.pack ? -1 : 1));
    return (this.known = { all, byName: new Map(all.map((pack) => [pack.pack, pack])) });
  }

  /** The packs of these names and all that they extend, each once, sorted by name. Unknown names are left out. */
  withExtended(names: readonly string[]): readonly Pack[] {
    const found = new Set<string>();
    const add = (name: string) => {
      const pack = this.get(name);
      if (pack === undefined || found.has(name)) return;
      found.add(name);
      pack.extends.forEach(add);
    };
    names.forEach(add);
    return this.all.filter(({ pack }) => found.has(pack));
  }

  /**
   * Every pack of a person's place: those of the country, of the country or union that it is of, and of each region
   * with the region's country, and all that they extend. Without a pack there are none.
   *
   * @param country ISO 3166-1; null: unknown.
   * @param regions ISO 3166-2, such as `US-FL`. The person may be in each of them.
   */
  forJurisdictions(country: string | null, regions: readonly string[]): readonly Pack[] {
    const key = [country, ...regions].join(' ');
    const known = this.ofPlaces.get(key);
    if (known !== undefined) return known;
    const countries = [
      ...(country === null ? [] : [country]),
      ...regions.map((region) => region.slice(0, 2)),
    ];
    const jurisdictions = new Set([...countries.flatMap(jurisdictionsOf), ...regions]);
    const named = this.all.filter(({ jurisdiction }) => jurisdictions.has(jurisdiction));
    const packs = this.withExtended(named.map(({ pack }) => pack));
    // Regions come from contacts' properties; there are about 5,000 in all, and few combinations.
    if (this.ofPlaces.size < MAX_KEPT) this.ofPlaces.set(key, packs);
    return packs;
  }

  /** The rules of the packs that hold on a local date `YYYY-MM-DD` of the called person. */
  inForce(packs: readonly Pack[], date: string): RuleOfPack[] {
    return packs.flatMap((pack) =>
      pack.rules.filter((rule) => holdsOn(rule, date)).map((rule) => ({ pack, rule })),
    );
  }

  /** A pack as canonical JSON, to be kept under its version for replays. */
  contentOf(pack: Pack): string {
    return contentOf(pack);
  }
}

const MAX_KEPT = 10_000;

/** Dates compare as texts. */
function holdsOn({ effectiveFrom, effectiveTo }: PackRule, date: string): boolean {
  return (effectiveFrom === null || effectiveFrom <= date) && (effectiveTo === null || date <= effectiveTo);
}
