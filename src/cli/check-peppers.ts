import { pepperId } from '../auth/pepper.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

/** Says which keys in use depend on another pepper than the one in force. */
export async function checkPeppers(
  { accounts }: Pick<RelationalStore, 'accounts'>,
  { current, previous }: { current: string; previous: string | undefined },
  say: (words: string) => void,
): Promise<void> {
  let before = 0;
  let lost = 0;
  for (const { pepper_id, keys } of await accounts.keysByPepper()) {
    if (pepper_id === null || pepper_id === pepperId(current)) continue;
    if (previous !== undefined && pepper_id === pepperId(previous)) before += keys;
    else lost += keys;
  }
  if (before > 0)
    say(
      `${keysAre(before)} under API_KEY_PEPPER_PREVIOUS: it is needed until they have been used once, or were revoked.`,
    );
  if (lost > 0)
    say(
      `${keysAre(lost)} under a pepper that is not set: refused until the data folder's file pepper is put back from a copy, or API_KEY_PEPPER_PREVIOUS is that pepper.`,
    );
}

const keysAre = (count: number) => (count === 1 ? '1 API key is' : `${count} API keys are`);
