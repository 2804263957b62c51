// From the end that is led to: a repository leads to thousands of symbols, but only repositories and contributors lead to it.
MATCH (s:Snapshot)
WHERE $within IS NULL OR s.repository IN $within
MATCH (b:Node {version: s.version})
USING INDEX SEEK b:Node(version, type, id)
WHERE b.type IN ['Contributor', 'Repository'] AND b.id IS NOT NULL
MATCH (b)<-[e:CALLS|INHERITS|IMPORTS|DEPENDS_ON|CONTRIBUTED_TO]-(a:Node)
WHERE a.type IN ['Contributor', 'Repository'] AND ($within IS NULL OR e.link IS NULL OR e.link IN $within)
RETURN type(e) AS type, a.id AS from, b.id AS to, properties(e) AS edge
ORDER BY type, from, to
