// One number for all that is shown: who reads it before and after knows whether anything changed meanwhile. The last statement of
// each transaction that changes what is shown, since others wait for it until the transaction ends.
MERGE (c:Counter {name: 'revision'})
ON CREATE SET c.value = 1
ON MATCH SET c.value = c.value + 1
