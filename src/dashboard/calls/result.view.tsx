import { type CallResultView } from '../../http/call-result-fields.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/** The most characters of a text that the page shows; the API has all of it. */
const MOST_CHARACTERS = 12_000;
const MOST_DATA = 4_000;

/** The names of `data` that platforms of voice agents have, and the page shows in their own way. */
const KNOWN = ['summary', 'transcript', 'transcriptCut', 'recordingUrl', 'analysis', 'analysisCut'];

interface ResultProps {
  frame: Frame;
  result: CallResultView;
}

/** What was found out in a call: what its carrier or the team has reported. */
export function Result({ frame: { zone }, result }: ResultProps) {
  const { disposition, callbackAt, optOut, recordedAt } = result;
  const data = result.data ?? {};
  const others = Object.entries(data).filter(([name]) => !KNOWN.includes(name));
  const recording = addressOf(data.recordingUrl);
  return (
    <section class="card" id="result">
      <h2>What came of it</h2>
      {typeof data.summary === 'string' && <p>{shortened(data.summary, MOST_CHARACTERS)}</p>}
      <dl class="facts">
        {disposition !== null && (
          <>
            <dt>Disposition</dt>
            <dd>{disposition}</dd>
          </>
        )}
        {optOut && (
          <>
            <dt>Opt-out</dt>
            <dd>The person asked not to be called again</dd>
          </>
        )}
        {callbackAt !== null && (
          <>
            <dt>Callback</dt>
            <dd>
              <Instant zone={zone} at={callbackAt} />
            </dd>
          </>
        )}
        {recording !== null && (
          <>
            <dt>Recording</dt>
            <dd>
              <a href={recording} rel="noreferrer noopener">
                Listen
              </a>{' '}
              <span class="soft small">at the carrier</span>
            </dd>
          </>
        )}
        <dt>Reported</dt>
        <dd>
          <Instant zone={zone} at={recordedAt} />
        </dd>
      </dl>
      {typeof data.transcript === 'string' && (
        <details>
          <summary>Transcript</summary>
          <pre>{shortened(data.transcript, MOST_CHARACTERS)}</pre>
          {(data.transcriptCut === true || data.transcript.length > MOST_CHARACTERS) && (
            <p class="soft small">
              The beginning.{' '}
              {data.transcriptCut === true ? 'It was cut when it was stored.' : 'The API has all of it.'}
            </p>
          )}
        </details>
      )}
      {data.analysis !== undefined && <Json title="Analysis" value={data.analysis} />}
      {data.analysisCut === true && <p class="soft small">The analysis was too large to be stored.</p>}
      {others.length > 0 && <Json title="Other data" value={Object.fromEntries(others)} />}
    </section>
  );
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre>{shortened(JSON.stringify(value, null, 2), MOST_DATA)}</pre>
    </details>
  );
}

/** Only an address of the web becomes a link. */
function addressOf(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  return /^https?:$/.test(new URL(value).protocol) ? value : null;
}

const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;
