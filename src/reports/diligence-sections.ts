import type { Section } from './document.ts';
import type { DiligenceFigures } from './report-type.ts';

/** The metrics and the factors of one repository, or of the portfolio where that is null. */
export async function diligenceSections(
  diligence: DiligenceFigures,
  repository: string | null,
): Promise<{ metrics: Section; factors: Section; left_out: Section }> {
  return {
    metrics: {
      title: 'Metrics',
      notes: ['What could not be measured has no value but a reason.'],
      columns: { metric: 'Metric', value: 'Value', unit: 'Unit', status: 'Status', reason: 'Reason' },
      rows: await diligence.metrics(repository),
    },
    factors: {
      title: 'Factors',
      notes: ['Scores go from 0 to 100; hours are the likely ones, within a wide range.'],
      columns: {
        factor: 'Factor',
        dimension: 'Dimension',
        risk: 'Risk',
        score: 'Score',
        grade: 'Grade',
        reason: 'Reason',
        hours: 'Hours',
        recommendation: 'Recommendation',
      },
      rows: await diligence.factors(repository),
    },
    left_out: {
      title: 'Code that no figure counts',
      notes: ['By the rule that left it out. Secrets and insecure code are looked for in it all the same.'],
      columns: { repository: 'Repository', rule: 'Why', by: 'What says so', files: 'Files', lines: 'Lines' },
      rows: await diligence.leftOut(repository),
    },
  };
}

/** The score of every repository. */
export async function scoresSection(diligence: DiligenceFigures): Promise<Section> {
  return {
    title: 'Engineering health',
    notes: ['Scores go from 0 to 100; confidence is the share of the weight that could be measured.'],
    columns: {
      repository: 'Repository',
      score: 'Score',
      grade: 'Grade',
      confidence: 'Confidence',
      hours: 'Hours to put right',
    },
    rows: await diligence.scores(),
  };
}
