import { z } from 'zod';
import { assetReply } from '../http/asset.ts';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { slashRoute } from '../http/slash-route.ts';
import { bundleFolder, readBundle } from './bundle.ts';
import type { Bundle } from './bundle.ts';

const notBuilt: Problem = {
  status: 503,
  code: 'explorer_not_built',
  title: 'The explorer was not built',
  meaning:
    'The bundle of the explorer is not there: `npm run prepare` makes it, as `npm ci` does without `--omit=dev`.',
};

const assetNotFound: Problem = {
  status: 404,
  code: 'asset_not_found',
  title: 'There is no such asset',
  meaning: 'The explorer has no file of this name; after an upgrade the page at /explorer names others.',
};

/** The page in which people look at all that the service knows: public, as it knows nothing until a key is pasted into it. */
export function explorerRoutes(folder = bundleFolder): Route[] {
  let reading: Promise<Bundle | null> | undefined;
  const bundle = async (): Promise<Bundle> => {
    const found = await (reading ??= readBundle(folder));
    if (found !== null) return found;
    // It may be built while the service runs.
    reading = undefined;
    throw new HttpError(notBuilt, { detail: 'The explorer was not built here. Run: npm run prepare' });
  };
  const open = { method: 'GET', access: 'public', product: null, credits: 0 } as const;
  return [
    route({
      ...open,
      path: '/explorer',
      operation_id: 'get_explorer',
      summary: 'The explorer: a page that shows graph, search and due diligence',
      description: 'It asks for an API key, which stays in the browser’s tab.',
      produces: 'text/html',
      errors: [notBuilt],
      // What it names changes with an upgrade.
      cache: 'revalidate',
      response: z.string(),
      handle: async () => (await bundle()).page,
    }),
    slashRoute('explorer', 'explorer'),
    route({
      ...open,
      path: '/explorer/assets/{file}',
      operation_id: 'get_explorer_asset',
      summary: 'What the explorer is made of',
      description: 'A name stands for one content for good.',
      produces: ['text/javascript', 'text/css'],
      errors: [notBuilt, assetNotFound],
      params: { file: z.string().meta({ examples: ['main-Dq1xYb2k.js'] }) },
      response: z.string(),
      handle: async ({ params: { file }, request }) => {
        const asset = (await bundle()).assets.get(file);
        if (asset === undefined) throw new HttpError(assetNotFound);
        return assetReply(asset, request);
      },
    }),
  ];
}
