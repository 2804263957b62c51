import { cargo } from './cargo.ts';
import { composer } from './composer.ts';
import { go } from './go.ts';
import { maven } from './maven.ts';
import { npm } from './npm.ts';
import { nuget } from './nuget.ts';
import { pypi } from './pypi.ts';
import { rubygems } from './rubygems.ts';

import type { Ecosystem } from './ecosystem.ts';

/** Every ecosystem whose packages are known. */
export const ecosystems = [npm, pypi, go, maven, cargo, nuget, composer, rubygems] as const;
export type EcosystemId = (typeof ecosystems)[number]['id'];
/** As osv.dev calls it. */
export type OsvEcosystem = (typeof ecosystems)[number]['osv'];

const byId = new Map<string, Ecosystem<EcosystemId, OsvEcosystem>>(ecosystems.map((each) => [each.id, each]));
const byOsv = new Map<string, Ecosystem<EcosystemId, OsvEcosystem>>(ecosystems.map((each) => [each.osv, each]));
const byPurlType = new Map<string, Ecosystem<EcosystemId, OsvEcosystem>>(
  ecosystems.map((each) => [each.purlType, each]),
);

/** The ecosystem, by each of its names; undefined for none of ours. */
export const ecosystemById = (id: string) => byId.get(id);
export const ecosystemByOsv = (osv: string) => byOsv.get(osv);
export const ecosystemByPurlType = (type: string) => byPurlType.get(type);
