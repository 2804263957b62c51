import { beginsAsNamed, defineEcosystem, outwards } from './ecosystem.ts';

export const composer = defineEcosystem({
  id: 'composer',
  osv: 'Packagist',
  purlType: 'composer',
  versions: 'numbers',
  exactRange: /^=?v?(\d+\.\d+\.\d[\w.+-]*)$/,
  manifest: /(^|\/)composer\.json$/,
  lockfiles: ['composer.lock'],
  // A namespace begins with the vendor, and names the package somewhere: `Symfony\\Component\\Console`.
  isModuleOf(module, name) {
    const [vendor = '', own = ''] = name.replaceAll('-', '').split('/');
    const [first, ...rest] = module.toLowerCase().split('\\');
    return first === vendor && (own === vendor || rest.length === 0 || rest.includes(own));
  },
  packagesOfModule: (module) => outwards(module, '.'),
  mayBegin: beginsAsNamed,
  moduleSeparator: '\\',
});
