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
  for (const { name } of fields) {
    const [head = '', part] = name.split('.');
    const holder = part === undefined ? others : others[head];
    if (!isRecord(holder)) continue;
    const value = holder[part ?? head];
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    typed[name] = String(value);
    Reflect.deleteProperty(holder, part ?? head);
    if (part !== undefined && Object.keys(holder).length === 0) Reflect.deleteProperty(others, head);
  }
  return { typed, others };
}

/** What is no number stays as it is, and the carrier refuses it. */
function valueOf(kind: AgentSettingKind, text: string): unknown {
  if (kind.type === 'wholeNumber') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (kind.type === 'flag') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
