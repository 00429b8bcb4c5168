/** What people ask about a catalogue in named graphs. */
export const CATALOGUE_QUESTIONS: Readonly<Record<string, string>> = {
  'product in all graphs': 'SELECT ?g ?p ?o { GRAPH ?g { :product100 ?p ?o } }',
  'a delivery': 'SELECT ?i ?l ?v { GRAPH :delivery17 { ?i :label ?l ; :price ?v } }',
  'from a delivery': 'SELECT ?i ?v FROM :delivery17 { ?i :price ?v ; :type :Product }',
  'from three deliveries':
    'SELECT ?i ?v FROM :delivery17 FROM :delivery18 FROM :delivery19 { ?i :price ?v ; :type :Product }',
  'named of three deliveries':
    'SELECT ?g ?i FROM NAMED :delivery17 FROM NAMED :delivery18 FROM NAMED :delivery19 { GRAPH ?g { ?i :type :Product } }',
  'deliveries of a source': 'SELECT ?g ?i { ?g :source :source7 GRAPH ?g { ?i :type :Product } }',
  'prices by trusted sources':
    'SELECT ?i ?v ?t { ?g :source ?s . ?s :trust ?t FILTER(?t > 0.9) GRAPH ?g { ?i :price ?v } }',
  'quads by graph': 'SELECT ?g (COUNT(*) AS ?c) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g',
  'products by graph': 'SELECT ?g (COUNT(?i) AS ?c) { GRAPH ?g { ?i :type :Product } } GROUP BY ?g',
  'count inside each graph': 'SELECT ?g ?c { GRAPH ?g { SELECT (COUNT(*) AS ?c) { ?i :price ?v } } }',
  'dearest inside each graph': 'SELECT ?g ?m { GRAPH ?g { SELECT (MAX(?v) AS ?m) { ?i :price ?v ; :category ?k } } }',
  'mean by maker in each graph':
    'SELECT ?g ?k ?m { GRAPH ?g { SELECT ?k (AVG(?v) AS ?m) { ?i :price ?v ; :maker ?k } GROUP BY ?k } }',
  graphs: 'SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }',
  'empty pattern of graphs': 'SELECT (COUNT(*) AS ?c) { GRAPH ?g { } }',
  'sources by deliveries': 'SELECT ?l (COUNT(?g) AS ?c) { ?g :source ?s . ?s :label ?l } GROUP BY ?l',
  'conflicting prices':
    'SELECT ?i ?v ?w { GRAPH ?g { ?i :price ?v } GRAPH ?h { ?i :price ?w } FILTER(?v < ?w && ?g != ?h) }',
  'products in two graphs':
    'SELECT DISTINCT ?i { GRAPH ?g { ?i :category :category5 } GRAPH ?h { ?i :category ?k } FILTER(?g != ?h) }',
  'lowest price of each': 'SELECT ?i (MIN(?v) AS ?m) { GRAPH ?g { ?i :price ?v } } GROUP BY ?i',
  'who is cheapest':
    'SELECT ?i ?g ?m { { SELECT ?i (MIN(?v) AS ?m) { GRAPH ?h { ?i :price ?v } } GROUP BY ?i } GRAPH ?g { ?i :price ?m } }',
  'with optional note': 'SELECT ?g ?i ?n { GRAPH ?g { ?i :category :category5 OPTIONAL { ?i :note ?n } } }',
  'optional note of all': 'SELECT ?g ?i ?n { GRAPH ?g { ?i :type :Product OPTIONAL { ?i :note ?n } } }',
  'optional in other graphs':
    'SELECT ?i ?n { GRAPH ?g { ?i :category :category5 } OPTIONAL { GRAPH ?h { ?i :note ?n } } }',
  'not withdrawn here': 'SELECT ?g ?i { GRAPH ?g { ?i :category :category9 MINUS { ?i :withdrawn true } } }',
  'not withdrawn anywhere':
    'SELECT ?i { GRAPH ?g { ?i :category :category9 } FILTER NOT EXISTS { GRAPH ?h { ?i :withdrawn true } } }',
  'withdrawn by newer':
    'SELECT ?i ?g { GRAPH ?g { ?i :type :Product } ?h :replaces ?g GRAPH ?h { ?i :withdrawn true } }',
  'replaced deliveries': 'SELECT ?g ?h { ?h :replaces+ ?g . ?h :source :source7 }',
  'newest of a source':
    'SELECT ?g ?t { ?g :source :source3 ; :retrieved ?t FILTER NOT EXISTS { ?h :source :source3 ; :retrieved ?u FILTER(?u > ?t) } }',
  'retrieved in a month':
    'SELECT ?g ?i { ?g :retrieved ?t FILTER(?t >= "2022-03-01T00:00:00Z"^^xsd:dateTime && ?t < "2022-04-01T00:00:00Z"^^xsd:dateTime) GRAPH ?g { ?i :type :Product } }',
  'below a category':
    'SELECT ?i ?l { GRAPH :categories { ?k :broader* :category2 . ?k :label ?l } GRAPH ?g { ?i :category ?k } }',
  'categories by products':
    'SELECT ?l (COUNT(DISTINCT ?i) AS ?c) { GRAPH ?g { ?i :category ?k } GRAPH :categories { ?k :label ?l } } GROUP BY ?l ORDER BY DESC(?c) ?l LIMIT 10',
  'similar within a graph': 'SELECT ?g ?i ?x { GRAPH ?g { ?i :similarTo+ ?x . ?i :maker :maker30 } }',
  'similar across graphs':
    'SELECT ?i ?x ?v { GRAPH ?g { ?i :similarTo ?x ; :maker :maker30 } GRAPH ?h { ?x :price ?v } }',
  'dear by licence':
    'SELECT ?k (COUNT(*) AS ?c) { ?g :licence ?k GRAPH ?g { ?i :price ?v FILTER(?v > 900) } } GROUP BY ?k',
  'dearest products': 'SELECT ?i ?v { GRAPH ?g { ?i :price ?v } } ORDER BY DESC(?v) ?i LIMIT 10',
  'either maker': 'SELECT ?g ?i { GRAPH ?g { { ?i :maker :maker40 } UNION { ?i :maker :maker41 } ?i :price ?v } }',
  'label search in graphs': 'SELECT ?g ?i { GRAPH ?g { ?i :label ?l FILTER(STRENDS(?l, " 77")) } }',
  'where a value stands': 'SELECT ?g ?s { GRAPH ?g { ?s ?p "note 17" } }',
  'makers of a source': 'SELECT DISTINCT ?k { ?g :source :source11 GRAPH ?g { ?i :maker ?k } }',
  'delivery without notes': 'SELECT ?g { ?g :source ?s FILTER NOT EXISTS { GRAPH ?g { ?i :note ?n } } }',
  'copy of a delivery':
    'CONSTRUCT { ?i :offered ?v ; :by ?s } { ?g :source ?s GRAPH ?g { ?i :price ?v ; :maker :maker20 } }',
};

/** Oxigraph gives a quad of several FROM graphs several times, and groups the rows of all graphs together. */
export const CATALOGUE_FOR_OXIGRAPH: Readonly<Record<string, string>> = {
  'from three deliveries':
    'SELECT DISTINCT ?i ?v FROM :delivery17 FROM :delivery18 FROM :delivery19 { ?i :price ?v ; :type :Product }',
  'count inside each graph':
    'SELECT ?g (COUNT(?v) AS ?c) { { SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } } OPTIONAL { GRAPH ?g { ?i :price ?v } } } GROUP BY ?g',
  'dearest inside each graph':
    'SELECT ?g (MAX(?v) AS ?m) { { SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } } } OPTIONAL { GRAPH ?g { ?i :price ?v ; :category ?k } } } GROUP BY ?g',
  'mean by maker in each graph':
    'SELECT ?g ?k (AVG(?v) AS ?m) { GRAPH ?g { ?i :price ?v ; :maker ?k } } GROUP BY ?g ?k',
};
