import type { ClaimedReport } from '../stores/relational/port.ts';
import { renderers } from './render/render.ts';
import { ReportFailure } from './report-type.ts';
import type { ReportSources } from './report-type.ts';
import { reportTypes } from './types/index.ts';

/** The bytes of one report; throws `ReportFailure` with what the caller may know. */
export async function makeReport(
  { type: id, format, parameters, organization_id }: ClaimedReport,
  sources: ReportSources,
  onProgress: (share: number) => void,
): Promise<{ content: Uint8Array; contentType: string }> {
  const type = reportTypes.find((one) => one.id === id);
  if (!type) throw new ReportFailure('source_unavailable', `This service makes no reports of the type ${id}.`);
  const document = await type.build({
    parameters: type.parameters.parse(parameters),
    organizationId: organization_id,
    sources,
    onProgress,
  });
  const { contentType, render } = renderers[format];
  return { content: Buffer.from(await render(document)), contentType };
}
