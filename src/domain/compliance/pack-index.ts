import { type ComplianceFacts } from './facts.js';
import { type Pack, type PackRule } from './pack.js';

/** The packs of a process, by what finds them. */
export interface PacksOfPlaces {
  /**
   * Every pack of a person's place, with all that these packs extend, each once and sorted by name.
   *
   * @param country ISO 3166-1; null: unknown. @param regions ISO 3166-2. The person may be in each of them.
   */
  forJurisdictions(country: string | null, regions: readonly string[]): readonly Pack[];
  /** The packs of these names and all that they extend. Unknown names are left out. */
  withExtended(names: readonly string[]): readonly Pack[];
}

/** The rules that apply to a call on any date, and where they come from. */
export interface ApplicableRules {
  /** The packs of the place, sorted by name. A pack without an applicable rule is among them. */
  packs: readonly Pack[];
  /** The jurisdictions of the place, whether a pack describes them or not: `US`, `US-FL`, `EU`. */
  jurisdictions: readonly string[];
  /** In the order of the packs. */
  rules: readonly { pack: string; rule: PackRule }[];
}

/** Most calls of a team have one of a few places. */
const MOST_SELECTIONS = 1_000;

/** Selects the rules of calls. The packs do not change, so selections are remembered; the least recently used one leaves. */
export class PackIndex {
  private readonly selections = new Map<string, ApplicableRules>();

  constructor(private readonly packs: PacksOfPlaces) {}

  /**
   * The rules for the place, the purpose and the voice of a call: those of the number's country and of its possible
   * states, and those of the contact's region.
   */
  applicableTo(facts: ComplianceFacts): ApplicableRules {
    const { setting, place, region } = facts;
    const purpose = facts.purpose ?? setting.purpose;
    const asked = [place.country, place.regions, region, purpose, setting.voice, setting.packs];
    const key = JSON.stringify(asked);
    const selected = this.selections.get(key) ?? this.select(facts);
    this.selections.delete(key);
    this.selections.set(key, selected);
    if (this.selections.size > MOST_SELECTIONS) this.selections.delete(this.selections.keys().next().value!);
    return selected;
  }

  private select({ setting, purpose, place, region }: ComplianceFacts): ApplicableRules {
    const regions = [...new Set([...place.regions, ...(region === null ? [] : [region])])];
    const ofPlace = this.packs.forJurisdictions(place.country, regions);
    const packs = setting.packs === 'auto' ? ofPlace : this.chosen(ofPlace, setting.packs);
    const countries = [place.country ?? [], ...regions.map(countryOf)].flat();
    const known = ofPlace.map(({ jurisdiction }) => jurisdiction);
    const asked = { purpose: purpose ?? setting.purpose, voice: setting.voice };
    return {
      packs,
      jurisdictions: [...new Set([...countries, ...regions, ...known])].sort(),
      rules: packs.flatMap(({ pack, rules }) =>
        rules.filter((rule) => isMeant(rule, asked)).map((rule) => ({ pack, rule })),
      ),
    };
  }

  /** A team that names packs has those, as far as they are of the place. */
  private chosen(ofPlace: readonly Pack[], names: readonly string[]): readonly Pack[] {
    const chosen = new Set(this.packs.withExtended(names));
    return ofPlace.filter((pack) => chosen.has(pack));
  }
}

/** An unset purpose or voice counts as the strictest: a rule for any of them applies. */
function isMeant(
  { appliesTo }: PackRule,
  { purpose, voice }: Pick<ComplianceFacts['setting'], 'purpose' | 'voice'>,
): boolean {
  return (
    (purpose === null || appliesTo.purpose.includes(purpose)) &&
    (voice === null || appliesTo.voice.includes(voice))
  );
}

/** Of an ISO 3166-2 code. */
function countryOf(region: string): string {
  return region.slice(0, 2);
}
