/** What people ask about a vocabulary in several languages. */
export const VOCABULARY_QUESTIONS: Readonly<Record<string, string>> = {
  'one concept': 'SELECT ?p ?o { :concept11 ?p ?o }',
  'labels of one': 'SELECT ?l { :concept11 :prefLabel ?l }',
  'by a label': 'SELECT ?c { ?c :prefLabel "bicycle"@en }',
  'by a label in a filter': 'SELECT ?c { ?c :prefLabel ?l FILTER(?l = "bicycle"@en) }',
  'by a label in any language': 'SELECT ?c ?l { ?c :prefLabel ?l FILTER(STR(?l) = "bicycle") }',
  'German labels': 'SELECT ?c ?l { ?c :prefLabel ?l FILTER(LANG(?l) = "de") }',
  'labels that match a language': 'SELECT (COUNT(*) AS ?n) { ?c :prefLabel ?l FILTER(LANGMATCHES(LANG(?l), "fr")) }',
  'German, else English':
    'SELECT ?c (COALESCE(?d, ?e) AS ?l) { ?c :inScheme :scheme3 OPTIONAL { ?c :prefLabel ?d FILTER(LANG(?d) = "de") } OPTIONAL { ?c :prefLabel ?e FILTER(LANG(?e) = "en") } }',
  'all five languages':
    'SELECT ?c ?en ?de ?fr ?es ?it { ?c :inScheme :scheme2 . ?c :prefLabel ?en FILTER(LANG(?en) = "en") OPTIONAL { ?c :prefLabel ?de FILTER(LANG(?de) = "de") } OPTIONAL { ?c :prefLabel ?fr FILTER(LANG(?fr) = "fr") } OPTIONAL { ?c :prefLabel ?es FILTER(LANG(?es) = "es") } OPTIONAL { ?c :prefLabel ?it FILTER(LANG(?it) = "it") } }',
  'not translated': 'SELECT ?c { ?c :type :Concept FILTER NOT EXISTS { ?c :prefLabel ?l FILTER(LANG(?l) = "it") } }',
  'not translated, by an optional':
    'SELECT (COUNT(?c) AS ?n) { ?c :type :Concept OPTIONAL { ?c :prefLabel ?l FILTER(LANG(?l) = "it") } FILTER(!BOUND(?l)) }',
  'not translated, by minus':
    'SELECT (COUNT(?c) AS ?n) { ?c :type :Concept MINUS { ?c :prefLabel ?l FILTER(LANG(?l) = "es") } }',
  'labels by language': 'SELECT ?g (COUNT(*) AS ?n) { ?c :prefLabel ?l } GROUP BY (LANG(?l) AS ?g)',
  'languages of each': 'SELECT ?c (COUNT(?l) AS ?n) { ?c :prefLabel ?l } GROUP BY ?c HAVING (COUNT(?l) = 5)',
  'starts with': 'SELECT ?c ?l { ?c :prefLabel ?l FILTER(STRSTARTS(STR(?l), "br")) }',
  contains: 'SELECT ?c ?l { ?c :prefLabel|:altLabel ?l FILTER(CONTAINS(LCASE(STR(?l)), "stra")) }',
  'by pattern in English': 'SELECT ?c ?l { ?c :prefLabel ?l FILTER(LANG(?l) = "en" && REGEX(?l, "^ba.*st$")) }',
  dictionary: 'SELECT ?e ?d { ?c :prefLabel ?e , ?d FILTER(LANG(?e) = "en" && LANG(?d) = "de") }',
  'same word in two languages':
    'SELECT ?c ?d ?w { ?c :prefLabel ?a . ?d :prefLabel ?b FILTER(STR(?a) = STR(?b) && LANG(?a) = "it" && LANG(?b) = "es") BIND(STR(?a) AS ?w) ?c :inScheme :scheme1 . ?d :inScheme :scheme2 }',
  'same English label':
    'SELECT ?c ?d ?l { ?c :prefLabel ?l . ?d :prefLabel ?l FILTER(LANG(?l) = "en" && STR(?c) < STR(?d)) }',
  'above one': 'SELECT ?b ?l { :concept19 :broader+ ?b . ?b :prefLabel ?l FILTER(LANG(?l) = "en") }',
  'below one': 'SELECT ?c { ?c :broader+ :concept5 }',
  'below one with labels': 'SELECT ?c ?l { ?c :broader* :concept12 . ?c :prefLabel ?l FILTER(LANG(?l) = "fr") }',
  'children of each top': 'SELECT ?t (COUNT(?c) AS ?n) { ?t :topOf ?s . ?c :broader ?t } GROUP BY ?t',
  'all below each top': 'SELECT ?t (COUNT(?c) AS ?n) { ?t :topOf ?s . ?c :broader+ ?t } GROUP BY ?t',
  'top of each': 'SELECT ?c ?t { ?c :inScheme :scheme6 ; :broader* ?t . ?t :topOf ?s }',
  leaves: 'SELECT (COUNT(?c) AS ?n) { ?c :type :Concept FILTER NOT EXISTS { ?d :broader ?c } }',
  'others below the same':
    'SELECT ?s ?l { :concept19 :broader ?b . ?s :broader ?b ; :prefLabel ?l FILTER(?s != :concept19) }',
  'most children': 'SELECT ?b (COUNT(?c) AS ?n) { ?c :broader ?b } GROUP BY ?b ORDER BY DESC(?n) ?b LIMIT 10',
  'depth two': 'SELECT ?c ?b ?a { ?c :broader ?b . ?b :broader ?a . ?a :topOf ?s }',
  'related both ways': 'SELECT DISTINCT ?x { { :concept11 :related ?x } UNION { ?x :related :concept11 } }',
  'related network': 'SELECT (COUNT(DISTINCT ?x) AS ?n) { :concept11 (:related|^:related)* ?x }',
  'related in another scheme': 'SELECT ?c ?d { ?c :related ?d ; :inScheme ?s . ?d :inScheme ?t FILTER(?s != ?t) }',
  'related and below one': 'SELECT ?c ?d { ?c :related ?d ; :broader ?b . ?d :broader ?b }',
  synonyms: 'SELECT ?c ?l ?a { ?c :prefLabel ?l ; :altLabel ?a FILTER(LANG(?l) = LANG(?a)) }',
  'synonyms counted':
    'SELECT ?c (COUNT(DISTINCT ?a) AS ?n) { ?c :inScheme :scheme4 OPTIONAL { ?c :altLabel ?a } } GROUP BY ?c',
  'mapped by others': 'SELECT ?m (COUNT(?c) AS ?n) { ?c :exactMatch ?m } GROUP BY ?m HAVING (COUNT(?c) > 1)',
  'mapped to the same': 'SELECT ?c ?d { ?c :exactMatch ?m . ?d :exactMatch ?m FILTER(STR(?c) < STR(?d)) }',
  'deprecated but used': 'SELECT ?c ?d { ?c :deprecated true . ?d :related|:broader ?c }',
  'not deprecated': 'SELECT (COUNT(*) AS ?n) { ?c :inScheme ?s FILTER NOT EXISTS { ?c :deprecated true } }',
  'alphabetical page': 'SELECT ?c ?l { ?c :prefLabel ?l FILTER(LANG(?l) = "en") } ORDER BY ?l ?c LIMIT 25',
  'alphabetical page of a scheme':
    'SELECT ?c ?l { ?c :inScheme :scheme3 ; :prefLabel ?l FILTER(LANG(?l) = "en") } ORDER BY ?l ?c LIMIT 25 OFFSET 50',
  'longest definitions': 'SELECT ?c ?n { ?c :definition ?d BIND(STRLEN(?d) AS ?n) } ORDER BY DESC(?n) ?c LIMIT 10',
  'by notation': 'SELECT ?c ?l { ?c :notation "3.11" ; :prefLabel ?l }',
  'by notation in a filter': 'SELECT ?c ?l { ?c :notation ?n ; :prefLabel ?l FILTER(?n = "3.11") }',
  'export of a scheme':
    'CONSTRUCT { ?c :label ?l ; :above ?b } { ?c :inScheme :scheme5 ; :prefLabel ?l OPTIONAL { ?c :broader ?b } }',
};
