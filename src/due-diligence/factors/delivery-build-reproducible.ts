import { minutes } from '../scoring-model.ts';
import { defineFactor, each } from './factor.ts';

export const deliveryBuildReproducible = defineFactor({
  id: 'delivery.build_reproducible',
  dimension: 'delivery',
  title: 'Reproducible build',
  risk: 'medium',
  inputs: ['build_system_count', 'toolchain_pinned_pct', 'build_doc_completeness_pct'],
  points: null,
  sources: '0.6 x toolchain + 0.4 x documentation: our own choice over OpenSSF badge criteria',
  recommendation: 'Pin the toolchain and document the build and test commands.',
  horizon: 'post_deal',
  optional: ['toolchain_pinned_pct'],
  score: ({ value }) => {
    const toolchain = value('toolchain_pinned_pct');
    const docs = value('build_doc_completeness_pct') ?? 0;
    return toolchain === null ? docs : 0.6 * toolchain + 0.4 * docs;
  },
  cost: each('toolchain_pinned_pct', ['modules', minutes.effort_low]),
  aims: { toolchain_pinned_pct: 100 },
});
