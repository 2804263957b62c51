UNWIND $elements AS element
MATCH (n) WHERE elementId(n) = element
MATCH (n)<-[e:$any($types) WHERE e.confidence >= $confidence]-(m:Node)
RETURN collect(DISTINCT elementId(m)) AS elements
