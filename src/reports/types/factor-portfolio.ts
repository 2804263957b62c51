import { z } from 'zod';
import { reportType } from '../report-type.ts';

export const factorPortfolio = reportType({
  id: 'factor_portfolio',
  name: 'Factors of the portfolio',
  summary: 'Each due-diligence factor over all repositories.',
  parameters: z.strictObject({}),
  sources: ['factors'],
  build: null,
});
