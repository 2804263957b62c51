import type { EphemeralStore } from '../stores/ephemeral/port.ts';

const channel = 'key-changes';

/**
 * Tells every instance that a key, or the keys of a member, are no longer what they were. It is only the quick way: whoever is not
 * told finds out by the next look-up, at most 5 s later.
 */
export const announceKeyChange = (ephemeral: Pick<EphemeralStore, 'publish'>, keyOrMemberId: string): Promise<void> =>
  ephemeral.publish(channel, keyOrMemberId);

/** Calls `hear` with the id of each key or member of which an instance tells. */
export const onKeyChange = (
  ephemeral: Pick<EphemeralStore, 'subscribe'>,
  hear: (keyOrMemberId: string) => void,
): void => ephemeral.subscribe(channel, hear);
