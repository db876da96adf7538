import { RESOLUTIONS } from '../../calls/records/resolution.dto.js';
import { resolutionLabel } from '../../domain/narrator/labels.js';
import { type Frame, may } from '../frame/page-frame.service.js';

interface ResolveFormProps {
  frame: Frame;
  teamId: string;
  callRequestId: string;
}

/** The form that resolves a call in `dial_unknown`, for those who may. Its confirmation is a page of its own. */
export function ResolveForm({ frame, teamId, callRequestId }: ResolveFormProps) {
  if (!may(frame, 'calls.change')) return null;
  return (
    <details>
      <summary>Resolve…</summary>
      <form method="get" action={`/t/${teamId}/calls/${callRequestId}/resolve`}>
        <input type="hidden" name="back" value={frame.request.self} />
        <div class="choices">
          {RESOLUTIONS.map((outcome) => (
            <button name="outcome" value={outcome}>
              {resolutionLabel(outcome)}
            </button>
          ))}
        </div>
      </form>
    </details>
  );
}
