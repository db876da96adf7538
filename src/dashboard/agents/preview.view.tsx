import { type Warning } from '../../domain/near-misses.js';
import { count } from '../design/local-time.js';

/** The texts of an agent as a contact would hear them. */
export interface Preview {
  /** What was typed: a number, or an id. */
  typed: string;
  /** Null: see `problem`. */
  shown: { contact: string; prompt: string; firstMessage: string; warnings: readonly Warning[] } | null;
  /** Why there is no preview. */
  problem: string | null;
}

/** The most characters of a text that a page shows. */
const SHOWN = 10_000;

/** The rendered texts, and what is probably not meant so. */
export function Rendered({ preview }: { preview: Preview | null }) {
  if (preview?.shown == null) return null;
  const { contact, warnings, firstMessage, prompt } = preview.shown;
  return (
    <>
      <h3>For {contact}</h3>
      <Warnings warnings={warnings} />
      <Texts firstMessage={firstMessage} prompt={prompt} />
      <p class="soft small">
        Without the variables of a request, and without what the law requires to be said in the call.
      </p>
    </>
  );
}

export function Texts({ firstMessage, prompt }: { firstMessage: string; prompt: string }) {
  return (
    <>
      <h3>First message</h3>
      <Text>{firstMessage}</Text>
      <h3>Prompt</h3>
      <Text>{prompt}</Text>
    </>
  );
}

/** What is probably not meant so in the templates. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <div class="notice warn">
      Look at these placeholders:
      <ul>
        {warnings.map(({ key, text }) => (
          <li>
            {key === 'promptTemplate' ? 'Prompt' : 'First message'}: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Text({ children }: { children: string }) {
  if (children === '') return <p class="soft">Empty.</p>;
  const rest = children.length - SHOWN;
  return (
    <>
      <pre>{children.slice(0, SHOWN)}</pre>
      {rest > 0 && <p class="soft small">And {count(rest)} more characters.</p>}
    </>
  );
}
