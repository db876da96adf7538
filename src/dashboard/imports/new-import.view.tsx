import { ErrorSummary } from '../design/error-summary.view.js';
import {
  type Check,
  Checks,
  FieldGroup,
  FileRow,
  type Option,
  SelectRow,
} from '../design/form-field.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { Layout } from '../frame/layout.js';
import { type Frame, may } from '../frame/page-frame.service.js';

/** The fields of the form beside the file, as they were sent. */
export interface TypedImport {
  type: string;
  campaignId: string;
  mode: string;
}

/** The types of files that change which numbers may be called. */
const OF_NUMBERS: readonly Check[] = [
  {
    value: 'consents',
    label: 'Consents',
    meaning: 'With the columns phone number, level, source and date.',
  },
  {
    value: 'suppressions',
    label: 'Do Not Call',
    meaning: 'Phone numbers that the team never calls. The import cannot be undone.',
  },
];

interface NewImportProps {
  /** The campaigns in which contacts can be enrolled. */
  campaigns: readonly Option[];
  typed: TypedImport;
  errors: FieldErrors;
}

/** Uploads a file for a preview. The file is the last field, so that all others are read before it. */
export function newImportPage(frame: Frame, { campaigns, typed, errors }: NewImportProps) {
  return (
    <Layout frame={frame} section="imports" title="Import a file">
      <h1>Import a file</h1>
      <p class="soft">
        The upload leads to a preview: what each column is taken for, the first rows as they will be stored,
        and the rows that would be refused. Nothing is imported before you start it there.
      </p>
      <ErrorSummary title="The file was not uploaded." errors={errors} />
      <section class="card" id="new">
        <PostForm frame={frame} action={`${frame.base}/imports/new`} withFile>
          <FieldGroup name="type" label="The rows are" error={errors.type}>
            <Checks
              name="type"
              type="radio"
              chosen={[typed.type]}
              checks={[
                { value: 'contacts', label: 'Contacts', meaning: 'People with a phone number.' },
                ...(may(frame, 'suppressions.change') ? OF_NUMBERS : []),
              ]}
            />
          </FieldGroup>
          <SelectRow
            name="campaignId"
            label="Enroll in a campaign (contacts only)"
            hint="Contacts are enrolled as the import runs; an active campaign then calls them. One that is paused or a draft waits."
            error={errors.campaignId}
            chosen={typed.campaignId}
            options={[['', 'In no campaign'], ...campaigns]}
          />
          <SelectRow
            name="mode"
            label="Contacts that the team has already"
            error={errors.mode}
            chosen={typed.mode}
            options={[
              ['upsert', 'are updated with the row'],
              ['create', 'stay as they are: the row is refused'],
            ]}
          />
          <FileRow
            name="file"
            label="File"
            hint="CSV with a header, or NDJSON; also as .gz. Save a spreadsheet as CSV first. Up to 1,000,000 rows; of Do Not Call, 10,000,000."
            error={errors.file}
            accept=".csv,.tsv,.txt,.ndjson,.jsonl,.gz,text/csv"
          />
          <button class="main">Upload for a preview</button>
        </PostForm>
      </section>
    </Layout>
  );
}
