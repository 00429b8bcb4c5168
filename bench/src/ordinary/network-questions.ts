/** What people ask about a network. */
export const NETWORK_QUESTIONS: Readonly<Record<string, string>> = {
  'all about one': 'SELECT ?p ?o { :person7 ?p ?o }',
  'who knows one': 'SELECT ?f ?n { ?f :knows :person7 ; :name ?n }',
  'friends of friends': 'SELECT DISTINCT ?n { :person7 :knows/:knows ?f . ?f :name ?n }',
  'people of a city': 'SELECT ?p ?n ?a { ?p :city :city40 ; :name ?n ; :age ?a }',
  'card of each': 'SELECT ?n ?a ?b { ?p :name ?n ; :age ?a ; :born ?b }',
  'friends and their names, optional':
    'SELECT ?p ?f ?n { ?p :type :Person OPTIONAL { ?p :knows ?f } OPTIONAL { ?f :name ?n } }',
  'optional friend, then a name': 'SELECT ?p ?f ?n { ?p :type :Person OPTIONAL { ?p :knows ?f } ?f :name ?n }',
  'chain of optional friends':
    'SELECT ?p ?f ?e { ?p :worksFor :company150 OPTIONAL { ?p :reportsTo ?f } OPTIONAL { ?f :email ?e } }',
  'nested optional': 'SELECT ?p ?f ?e { ?p :city :city30 OPTIONAL { ?p :knows ?f OPTIONAL { ?f :email ?e } } }',
  'three optional details':
    'SELECT ?p ?e ?w ?a { ?p :type :Person OPTIONAL { ?p :email ?e } OPTIONAL { ?p :worksFor ?w } OPTIONAL { ?p :award ?a } }',
  'latest post of each': `SELECT ?p ?post ?m { { SELECT ?p (MAX(?t) AS ?m) { ?post :creator ?p ; :created ?t } GROUP BY ?p } ?post :creator ?p ; :created ?m }`,
  namesakes: 'SELECT ?p ?q { ?p :name ?n . ?q :name ?m FILTER(?n = ?m && ?p != ?q) }',
  'namesakes by one variable': 'SELECT ?n (COUNT(?p) AS ?c) { ?p :name ?n . ?q :name ?n FILTER(?p != ?q) } GROUP BY ?n',
  'by name in a filter': 'SELECT ?p ?f { ?p :name ?n ; :knows ?f FILTER(?n = "Ada Lovelace") }',
  'by one of two names': 'SELECT ?p { ?p :name ?n FILTER(?n = "Ada Lovelace" || ?n = "First1 Last1") }',
  'by a city in a filter': 'SELECT ?p ?n { ?p :city ?c ; :name ?n FILTER(?c IN (:city41, :city42)) }',
  'posts of laureates':
    'SELECT ?post ?t ?c { ?post :creator ?p ; :title ?t ; :created ?c FILTER EXISTS { ?p :award :nobel } }',
  'without an address': 'SELECT ?p ?n { ?p :city :city30 ; :name ?n FILTER NOT EXISTS { ?p :email ?e } }',
  'without posts': 'SELECT (COUNT(?p) AS ?c) { ?p :type :Person MINUS { ?post :creator ?p } }',
  'no prize and no employer':
    'SELECT (COUNT(*) AS ?c) { ?p :type :Person FILTER NOT EXISTS { ?p :award ?a } FILTER NOT EXISTS { ?p :worksFor ?w } }',
  'newest posts': 'SELECT ?post ?t { ?post :created ?t } ORDER BY DESC(?t) ?post LIMIT 10',
  'posts of a day':
    'SELECT ?post ?t { ?post :created ?t FILTER(?t >= "2023-01-01T00:00:00Z"^^xsd:dateTime && ?t < "2023-01-02T00:00:00Z"^^xsd:dateTime) }',
  'born in a year': 'SELECT ?p ?b { ?p :born ?b FILTER(?b >= "1980-01-01"^^xsd:date && ?b < "1981-01-01"^^xsd:date) }',
  'year of birth': 'SELECT ?y (COUNT(*) AS ?c) { ?p :born ?b BIND(YEAR(?b) AS ?y) } GROUP BY ?y',
  'reached from laureates': 'SELECT (COUNT(DISTINCT ?x) AS ?c) { ?p :award :nobel . ?p :knows+ ?x }',
  'chain of command': 'SELECT ?b ?n { :person99 :reportsTo+ ?b . ?b :name ?n }',
  'team of a boss': 'SELECT (COUNT(?p) AS ?c) { ?p :reportsTo* :person3 }',
  'is reachable': 'ASK { :person7 :reportsTo+ ?b . ?b :reportsTo :person0 }',
  'ends of two steps':
    'SELECT ?a ?b { ?a :knows ?b . ?b :knows ?c . ?c :award :nobel FILTER(?a != ?b && ?b != ?c && ?a != ?c) }',
  'mutual friends': 'SELECT (COUNT(*) AS ?c) { ?a :knows ?b . ?b :knows ?a }',
  triangles: 'SELECT (COUNT(*) AS ?c) { ?a :knows ?b . ?b :knows ?c . ?c :knows ?a }',
  'friends in the same city': 'SELECT (COUNT(*) AS ?c) { ?a :knows ?b . ?a :city ?t . ?b :city ?t }',
  'cities by people': 'SELECT ?l (COUNT(?p) AS ?c) { ?p :city ?t . ?t :label ?l } GROUP BY ?l ORDER BY DESC(?c) ?l',
  'countries by age':
    'SELECT ?l (AVG(?a) AS ?mean) (MIN(?a) AS ?least) (MAX(?a) AS ?most) { ?p :age ?a ; :city/:country ?k . ?k :label ?l } GROUP BY ?l',
  'most known': 'SELECT ?p (COUNT(?f) AS ?c) { ?f :knows ?p } GROUP BY ?p ORDER BY DESC(?c) ?p LIMIT 10',
  'busy writers': 'SELECT ?p (COUNT(?post) AS ?c) { ?post :creator ?p } GROUP BY ?p HAVING (COUNT(?post) > 6)',
  'colleagues in another city':
    'SELECT (COUNT(*) AS ?c) { ?a :worksFor ?w . ?b :worksFor ?w . ?a :city ?s . ?b :city ?t FILTER(?s != ?t) ?w :seat :city20 }',
  'employers and seats': 'SELECT ?n ?w ?l { ?p :name ?n ; :worksFor ?c . ?c :label ?w ; :seat/:label ?l }',
  'computed address': 'SELECT ?p ?q ?n { ?p :city :city20 BIND(IRI(CONCAT(STR(?p), "")) AS ?q) ?q :name ?n }',
  'title search': 'SELECT ?post ?t { ?post :title ?t FILTER(CONTAINS(?t, "Topic17")) }',
  'title by pattern': 'SELECT ?post ?t { ?post :title ?t FILTER(REGEX(?t, "topic(1|2)7$", "i")) }',
  'replies to replies': 'SELECT ?a ?b ?c { ?a :replyOf ?b . ?b :replyOf ?c . ?c :creator ?p . ?p :city :city10 }',
  'threads of a person': 'SELECT ?r ?n { ?post :creator :person7 . ?r :replyOf* ?post ; :creator ?p . ?p :name ?n }',
  'liked or tagged': 'SELECT DISTINCT ?post { { ?post :likes ?l FILTER(?l > 450) } UNION { ?post :tag :tag70 } }',
  'likes by city': 'SELECT ?t (SUM(?l) AS ?sum) { ?post :likes ?l ; :creator ?p . ?p :city ?t } GROUP BY ?t',
  'tags of friends': 'SELECT ?t (COUNT(*) AS ?c) { :person7 :knows ?f . ?post :creator ?f ; :tag ?t } GROUP BY ?t',
  'who wrote to whom':
    'SELECT DISTINCT ?n ?m { ?r :replyOf ?post ; :creator ?a . ?post :creator ?b . ?a :name ?n . ?b :name ?m . ?a :city :city25 }',
  'oldest in town':
    'SELECT ?p ?a { ?p :city :city15 ; :age ?a FILTER NOT EXISTS { ?q :city :city15 ; :age ?b FILTER(?b > ?a) } }',
  'page of people': 'SELECT ?p ?n { ?p :type :Person ; :name ?n } ORDER BY ?n ?p LIMIT 20 OFFSET 100',
};
