import type { ManifestFormat } from './manifest.ts';
import { npm } from './npm.ts';

/** Every kind of manifest that is read. */
export const manifestFormats: readonly ManifestFormat[] = [npm];
