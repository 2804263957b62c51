UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
RETURN element, n.id AS id, n.type AS type, n.version AS version
