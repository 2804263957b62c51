/** Run as a whole by Redis. All keys of the meters share the hash tag {m}, so that they stay on one node of a cluster. */

/**
 * Counts one event and keeps it for the ledger; gives its place in the stream, or nothing when it was counted before.
 * The sums are only there while somebody reads them: without `base` they would lack what came before.
 */
export const recordScript = `
  -- KEYS: seen, sums, counter, stream   ARGV: product:class, credits, event
  if not redis.call('SET', KEYS[1], '1', 'NX', 'EX', 600) then return false end
  if redis.call('HEXISTS', KEYS[2], 'base') == 1 then
    redis.call('HINCRBY', KEYS[2], 'calls:' .. ARGV[1], 1)
    redis.call('HINCRBY', KEYS[2], 'credits:' .. ARGV[1], ARGV[2])
  end
  redis.call('INCR', KEYS[3])
  redis.call('EXPIRE', KEYS[3], 3600)
  return redis.call('XADD', KEYS[4], '*', 'event', ARGV[3])
`;

/** Puts the ledger's sums in place; none, when an event was counted since the counter stood as given. */
export const rebuildScript = `
  -- KEYS: sums, counter   ARGV: the counter, seconds to live, field, value ...
  redis.call('DEL', KEYS[1])
  if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], unpack(ARGV, 3))
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  return 1
`;

/** Gives a lock back, if it is still its holder's. */
export const unlockScript = `
  -- KEYS: lock   ARGV: holder
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0
`;
