UNWIND $files AS file
MATCH (n:Node)
USING INDEX SEEK n:Node(id, version)
WHERE n.id STARTS WITH file.prefix AND n.version IS NOT NULL AND n.type IN ['Class', 'Function']
  AND any(line IN file.lines WHERE n.line <= line AND line <= n.end_line)
MATCH (s:Snapshot {repository: file.repository})
USING INDEX SEEK s:Snapshot(repository)
WHERE s.version = n.version AND ($within IS NULL OR s.repository IN $within)
RETURN properties(n) AS node
ORDER BY n.id
