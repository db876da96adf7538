/** How a form asks for one of an agent's `carrierSettings`. The carrier itself checks the value. */
export interface AgentSettingField {
  /** Its path in `carrierSettings`, with dots, such as `conversationRelay.voice`. */
  name: string;
  /** Its label in forms. */
  label: string;
  /** Where the platform shows it, and what for. */
  hint: string;
  kind: AgentSettingKind;
  /** Fields of the same group stand together, below the others. */
  group?: string;
}

type AgentSettingKind =
  | { type: 'text' }
  | { type: 'wholeNumber' }
  | { type: 'flag' }
  /** The platform's ids of numbers: an object by E.164, in a form a line for each, with a space between the two. */
  | { type: 'numberIds' }
  | { type: 'choice'; options: readonly (readonly [value: string, label: string])[] };

/**
 * The settings that a form sends.
 *
 * @param typed the values as they were typed, by the names of the fields. An empty one is not set.
 * @param others as of {@link typedAgentSettings}.
 */
export function agentSettingsIn(
  fields: readonly AgentSettingField[],
  typed: Readonly<Record<string, string>>,
  others: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const settings: Record<string, unknown> = { ...others };
  for (const { name, kind } of fields) {
    const text = (typed[name] ?? '').trim();
    if (text === '') continue;
    const [head = '', part] = name.split('.');
    const value = valueOf(kind, text);
    settings[head] = part === undefined ? value : { ...(settings[head] as object), [part]: value };
  }
  return settings;
}

/** The text of each field for stored settings, and the settings that no field has. */
export function typedAgentSettings(
  fields: readonly AgentSettingField[],
  settings: Readonly<Record<string, unknown>>,
): { typed: Record<string, string>; others: Record<string, unknown> } {
  const typed: Record<string, string> = {};
  const others = structuredClone(settings) as Record<string, unknown>;
  for (const { name, kind } of fields) {
    const [head = '', part] = name.split('.');
    const holder = part === undefined ? others : others[head];
    if (!isRecord(holder)) continue;
    const text = textOf(kind, holder[part ?? head]);
    if (text === null) continue;
    typed[name] = text;
    Reflect.deleteProperty(holder, part ?? head);
    if (part !== undefined && Object.keys(holder).length === 0) Reflect.deleteProperty(others, head);
  }
  return { typed, others };
}

/** The text that stands for a stored value; null: the field cannot show it. */
function textOf(kind: AgentSettingKind, value: unknown): string | null {
  if (kind.type !== 'numberIds') {
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
  }
  if (!isRecord(value)) return null;
  const lines = Object.entries(value).map(([number, id]) => [number, String(id)] as const);
  const text = lines.map((line) => line.join(' ')).join('\n');
  // Only what the same lines stand for.
  return JSON.stringify(numberIdsIn(text)) === JSON.stringify(value) ? text : null;
}

/** What is no number or no list of ids stays as it is, and the carrier refuses it. */
function valueOf(kind: AgentSettingKind, text: string): unknown {
  if (kind.type === 'numberIds') return numberIdsIn(text) ?? text;
  if (kind.type === 'wholeNumber') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (kind.type === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** Ids by numbers; null if a line is none, or if a number has two. */
function numberIdsIn(text: string): Record<string, string> | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const pairs = lines.filter((line) => line !== '').map((line) => line.split(/\s+/));
  if (pairs.some((pair) => pair.length !== 2 || pair.includes(''))) return null;
  const ids = Object.fromEntries(pairs) as Record<string, string>;
  return Object.keys(ids).length === pairs.length ? ids : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
