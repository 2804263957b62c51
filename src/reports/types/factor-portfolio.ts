import { z } from 'zod';
import { diligenceSections } from '../diligence-sections.ts';
import { reportType } from '../report-type.ts';

/** Each factor of due diligence, of the portfolio and of every repository. */
export const factorPortfolio = reportType({
  id: 'factor_portfolio',
  name: 'Factors of the portfolio',
  summary: 'Each due-diligence factor over all repositories.',
  parameters: z.strictObject({}),
  sources: ['diligence'],
  async build({ sources: { diligence }, onProgress }) {
    const scores = await diligence.scores();
    const rows: Record<string, string | number | null>[] = [];
    for (const [index, { repository }] of scores.entries()) {
      for (const factor of await diligence.factors(repository)) rows.push({ repository, ...factor });
      onProgress((index + 1) / (scores.length + 1));
    }
    const { factors, ...sections } = await diligenceSections(diligence, null);
    return {
      title: 'Factors of the portfolio',
      answers: async () => ({ get_portfolio_package: await diligence.answers.get_portfolio_package() }),
      sections: {
        ...sections,
        factors,
        per_repository: {
          title: 'Factors of each repository',
          columns: { repository: 'Repository', ...factors.columns },
          rows,
        },
      },
    };
  },
});
