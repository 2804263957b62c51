import { cargo } from './cargo.ts';
import { composer } from './composer.ts';
import { goMod } from './go-mod.ts';
import { gradle, gradleCatalog } from './gradle.ts';
import type { ManifestFormat } from './manifest.ts';
import { maven } from './maven.ts';
import { npm } from './npm.ts';
import { nuget } from './nuget.ts';
import { pipfile, pyproject } from './pyproject.ts';
import { pythonMetadata } from './python-metadata.ts';
import { requirementsTxt } from './requirements-txt.ts';
import { gemfile, gemspec } from './rubygems.ts';
import { setupCfg, setupPy } from './setup-py.ts';

/** Every kind of manifest that is read. */
export const manifestFormats: readonly ManifestFormat[] = [
  npm,
  pyproject,
  pipfile,
  requirementsTxt,
  setupCfg,
  setupPy,
  pythonMetadata,
  goMod,
  maven,
  gradle,
  gradleCatalog,
  cargo,
  nuget,
  composer,
  gemspec,
  gemfile,
];
