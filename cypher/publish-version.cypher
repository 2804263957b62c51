// The moment from which readers see the new version. A version that somebody else began to delete can't be published.
MATCH (v:Version {version: $version})
SET v.published = true
WITH v WHERE v.deleted IS NULL
MERGE (s:Snapshot {repository: $repository})
WITH s, s.version AS old
SET s.version = $version, s.generation = $generation, s.counts = $counts
RETURN old
