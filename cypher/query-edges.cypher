// In the order asked for.
UNWIND range(0, size($elements) - 1) AS place
MATCH ()-[e]->() WHERE elementId(e) = $elements[place]
RETURN properties(e) AS edge
ORDER BY place
