// Makes the explorer's bundle, as `npm ci` does at its end: `npm run prepare`.
import { join } from 'node:path';
import { bundleFolder } from './bundle.ts';

try {
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: join(import.meta.dirname, 'app'),
    logLevel: 'warn',
    build: {
      outDir: bundleFolder,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      target: 'es2023',
      rolldownOptions: { checks: { pluginTimings: false } },
    },
    // The page lies beside the folder of what it needs, which is found behind any proxy.
    experimental: {
      renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `explorer/${file}` : { relative: true }),
    },
  });
} catch (error) {
  // `npm ci --omit=dev` brings no Vite; the bundle then comes from elsewhere, or is said to be absent.
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
  console.warn('Vite is not installed: the explorer is not built.');
}
