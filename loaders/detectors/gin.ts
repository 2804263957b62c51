import { goGroups } from './go-groups.ts';

/** Routes on engines and groups. */
export const gin = goGroups({ id: 'gin', title: 'Gin', uses: /^github\.com\/gin-gonic\/gin\b/, any: 'Handle' });
