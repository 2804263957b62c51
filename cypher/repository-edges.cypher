// CONTAINS leads from a repository to its code, never to a neighbour: left out, so that it need not be walked.
MATCH (s:Snapshot)
MATCH (a:Node {version: s.version})
USING INDEX SEEK a:Node(version, type, id)
WHERE a.type IN ['Contributor', 'Repository'] AND a.id IS NOT NULL
MATCH (a)-[e:CALLS|INHERITS|IMPORTS|DEPENDS_ON|CONTRIBUTED_TO]->(b:Node)
WHERE b.type IN ['Contributor', 'Repository']
RETURN type(e) AS type, a.id AS from, b.id AS to, properties(e) AS edge
ORDER BY type, from, to
