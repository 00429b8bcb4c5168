/** What people ask about a registry of software. */
export const REGISTRY_QUESTIONS: Readonly<Record<string, string>> = {
  'one package with its versions':
    'SELECT ?v ?n ?d { :pkg17 :version ?v . ?v :number ?n ; :released ?d } ORDER BY DESC(?d) ?v',
  'a package by its label': 'SELECT ?p ?l { ?p :label ?l FILTER(STRSTARTS(?l, "lib-7")) }',
  'who owns most':
    'SELECT ?h (COUNT(?p) AS ?c) { ?p :owner ?d . ?d :handle ?h } GROUP BY ?h ORDER BY DESC(?c) ?h LIMIT 5',
  'direct users of one': 'SELECT DISTINCT ?q ?l { ?q :version ?v ; :label ?l . ?v :uses :pkg3 }',
  'all users of one': 'SELECT DISTINCT ?q { ?q (:version/:uses)+ :pkg90 }',
  'all that one uses': 'SELECT DISTINCT ?q ?l { :pkg240 (:version/:uses)+ ?q . ?q :label ?l }',
  'licences of what one uses':
    'SELECT ?l (COUNT(DISTINCT ?q) AS ?c) { :pkg240 (:version/:uses)+ ?q . ?q :licence ?l } GROUP BY ?l',
  'never used': 'SELECT (COUNT(?p) AS ?c) { ?p :type :Package FILTER NOT EXISTS { ?v :uses ?p } }',
  'used but abandoned': 'SELECT ?p (COUNT(DISTINCT ?v) AS ?c) { ?p :abandoned true . ?v :uses ?p } GROUP BY ?p',
  'newest version of each': 'SELECT ?p ?v ?d { ?p :version ?v . ?v :released ?d FILTER NOT EXISTS { ?w :after ?v } }',
  'newest version by a maximum':
    'SELECT ?p ?v ?m { { SELECT ?p (MAX(?d) AS ?m) { ?p :version/:released ?d } GROUP BY ?p } ?p :version ?v . ?v :released ?m }',
  'not yanked with size':
    'SELECT ?v ?b { ?v :type :Version ; :bytes ?b FILTER NOT EXISTS { ?v :yanked true } FILTER(?b > 1900000) }',
  'faults with all details':
    'SELECT ?n ?s ?f ?h ?x { ?r :affects ?v ; :severity ?s ; :found ?f ; :reporter ?d . ?v :number ?n . ?d :handle ?h OPTIONAL { ?r :fixedIn ?x } }',
  'worst faults': 'SELECT ?v ?s { ?r :affects ?v ; :severity ?s } ORDER BY DESC(?s) ?v LIMIT 15',
  'faults by year and class':
    'SELECT ?y ?k (COUNT(*) AS ?c) { ?r :found ?f ; :severity ?s BIND(YEAR(?f) AS ?y) BIND(IF(?s >= 7.0, "high", IF(?s >= 4.0, "medium", "low")) AS ?k) } GROUP BY ?y ?k ORDER BY ?y ?k',
  'packages hit through one step':
    'SELECT DISTINCT ?p { ?r :affects ?v ; :severity ?s FILTER(?s > 9.5) ?q :version ?v . ?w :uses ?q . ?p :version ?w }',
  'fix that is no version': 'SELECT ?r ?x { ?r :fixedIn ?x MINUS { ?x :type :Version } }',
  'reporter who maintains it':
    'SELECT ?p ?d { ?r :affects ?v ; :reporter ?d . ?p :version ?v ; :maintainer|:owner ?d }',
  'people without anything':
    'SELECT (COUNT(?d) AS ?c) { ?d :type :Developer MINUS { ?p :owner ?d } MINUS { ?q :maintainer ?d } }',
  'mail or team':
    'SELECT ?d ?m ?t { ?d :type :Developer OPTIONAL { ?d :mail ?m } OPTIONAL { ?d :team ?t } FILTER(BOUND(?m) || BOUND(?t)) }',
  'mails at one host': 'SELECT ?d ?m { ?d :mail ?m FILTER(STRENDS(?m, "@b.example")) }',
  'hosts of mails': 'SELECT ?h (COUNT(*) AS ?c) { ?d :mail ?m } GROUP BY (STRAFTER(?m, "@") AS ?h)',
  'followers of followers': 'SELECT DISTINCT ?a { ?a :follows ?b . ?b :follows ?c . ?c :follows :dev1 }',
  'owners who follow each other':
    'SELECT ?a ?b { ?a :follows ?b . ?p :owner ?a . ?q :owner ?b FILTER(?p < ?q || ?a != ?b) }',
  'work for several teams':
    'SELECT ?p (COUNT(DISTINCT ?t) AS ?c) { ?p :maintainer/:team ?t } GROUP BY ?p HAVING (COUNT(DISTINCT ?t) > 1)',
  'pairs of topics':
    'SELECT ?a ?b (COUNT(?p) AS ?c) { ?p :topic ?a , ?b FILTER(STR(?a) < STR(?b)) } GROUP BY ?a ?b ORDER BY DESC(?c) ?a ?b LIMIT 10',
  'packages of a topic and below': 'SELECT (COUNT(DISTINCT ?p) AS ?c) { ?t :partOf* :topic2 . ?p :topic ?t }',
  'topics in German or English':
    'SELECT ?t ?l { ?t :type :Topic OPTIONAL { ?t :label ?d FILTER(LANG(?d) = "de") } OPTIONAL { ?t :label ?e FILTER(LANG(?e) = "en") } BIND(COALESCE(?d, ?e) AS ?l) }',
  'depth of versions': 'SELECT ?p (COUNT(?v) AS ?c) { ?p :version ?v } GROUP BY ?p HAVING (COUNT(?v) >= 14)',
  'growth of sizes': 'SELECT ?v ?w ?b ?c { ?w :after ?v ; :bytes ?c . ?v :bytes ?b FILTER(?c > 50 * ?b) }',
  'mean score by licence':
    'SELECT ?l (AVG(?s) AS ?m) (COUNT(*) AS ?c) { ?p :licence ?l ; :version ?v . ?v :score ?s } GROUP BY ?l',
  'best by score over all': 'SELECT ?v ?s { ?v :score ?s } ORDER BY DESC(?s) ?v LIMIT 20 OFFSET 20',
  'same licence as what is used':
    'SELECT (COUNT(*) AS ?c) { ?p :version ?v ; :licence ?l . ?v :uses ?q . ?q :licence ?l }',
  'forbidden mix': 'SELECT DISTINCT ?p ?q { ?p :licence :mit ; :version ?v . ?v :uses ?q . ?q :licence :gpl }',
  'cycle of two': 'SELECT ?p ?q { ?p :version/:uses ?q . ?q :version/:uses ?p }',
  'released the same day':
    'SELECT ?d (COUNT(?v) AS ?c) { ?v :released ?d } GROUP BY ?d HAVING (COUNT(?v) > 3) ORDER BY ?d',
  'released between':
    'SELECT ?p ?d { ?p :version ?v . ?v :released ?d FILTER(?d >= "2019-03-01"^^xsd:date && ?d < "2019-04-01"^^xsd:date) }',
  'all three kinds of link':
    'SELECT ?x ?y { { ?x :uses ?y } UNION { ?x :after ?y } UNION { ?y :version ?x } FILTER(?y = :pkg5 || ?x = :v5_0) }',
  'any mention of one': 'SELECT ?s ?p { ?s ?p :dev5 }',
  'predicates and their use': 'SELECT ?p (COUNT(*) AS ?c) (COUNT(DISTINCT ?s) AS ?d) { ?s ?p ?o } GROUP BY ?p',
  'classes of properties': 'SELECT ?t ?p (COUNT(*) AS ?c) { ?s :type ?t ; ?p ?o } GROUP BY ?t ?p',
  'homes as text': 'SELECT ?p (STR(?h) AS ?u) { ?p :home ?h FILTER(CONTAINS(STR(?h), "lib29")) }',
};
