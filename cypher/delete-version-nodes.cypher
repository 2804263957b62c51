MATCH (n:Node {version: $version})
WITH n LIMIT 1000
DETACH DELETE n
RETURN count(*) AS deleted
