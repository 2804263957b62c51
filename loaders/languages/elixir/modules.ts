import { includedFiles } from '../reading/included-files.ts';
import type { ModuleResolution } from '../language.ts';

/** Where a module is by Mix's convention: `Plug.HTTPServer` in the nearest `plug/http_server.ex`. */
export const modules: ModuleResolution = {
  prepare(repository) {
    const files = includedFiles.prepare(repository);
    return {
      resolve(specifier, fromPath) {
        const path = specifier.split('.').map(underscored).join('/');
        return /^\w/.test(path) ? files.resolve(`${path}.ex`, fromPath) : [];
      },
    };
  },
};

function underscored(name: string): string {
  return name
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1_')
    .toLowerCase();
}
