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
  // Where no manifest names a toolchain, none is pinned.
  score: ({ value }) => 0.6 * (value('toolchain_pinned_pct') ?? 0) + 0.4 * (value('build_doc_completeness_pct') ?? 0),
  cost: each('toolchain_pinned_pct', ['modules', minutes.effort_low]),
  aims: { toolchain_pinned_pct: 100 },
});
