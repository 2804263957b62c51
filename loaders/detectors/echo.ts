import { goGroups } from './go-groups.ts';

/** Routes on instances and groups. */
export const echo = goGroups({ id: 'echo', title: 'Echo', uses: /^github\.com\/labstack\/echo\b/, any: 'Add' });
