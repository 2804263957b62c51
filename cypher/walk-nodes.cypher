// In the order asked for.
UNWIND range(0, size($elements) - 1) AS place
MATCH (n) WHERE elementId(n) = $elements[place]
RETURN properties(n) AS node
ORDER BY place
