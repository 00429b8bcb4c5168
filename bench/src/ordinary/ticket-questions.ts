/** What people ask about tickets and measurements. */
export const TICKET_QUESTIONS: Readonly<Record<string, string>> = {
  'one ticket': 'SELECT ?p ?o { :ticket42 ?p ?o }',
  'open tickets of a project': 'SELECT ?t ?l { ?t :project :project4 ; :status "open" ; :title ?l }',
  'open by a filter': 'SELECT ?t ?l { ?t :project :project4 ; :status ?s ; :title ?l FILTER(?s = "open") }',
  urgent: 'SELECT ?t ?q { ?t :status "open" ; :priority ?q FILTER(?q >= 4) }',
  overdue: 'SELECT ?t ?d { ?t :status "open" ; :due ?d FILTER(?d < "2022-01-01"^^xsd:date) }',
  'due in a week':
    'SELECT ?t ?l { ?t :due ?d ; :title ?l FILTER(?d >= "2023-05-01"^^xsd:date && ?d <= "2023-05-07"^^xsd:date) }',
  'opened in a month':
    'SELECT (COUNT(*) AS ?c) { ?t :opened ?o FILTER(?o >= "2022-06-01T00:00:00Z"^^xsd:dateTime && ?o < "2022-07-01T00:00:00Z"^^xsd:dateTime) }',
  'newest tickets': 'SELECT ?t ?o ?l { ?t :opened ?o ; :title ?l } ORDER BY DESC(?o) ?t LIMIT 10',
  'oldest open': 'SELECT ?t ?o { ?t :status "open" ; :opened ?o } ORDER BY ?o ?t LIMIT 5',
  'first and last': 'SELECT (MIN(?o) AS ?first) (MAX(?o) AS ?last) { ?t :opened ?o }',
  'opened by month': 'SELECT ?y ?m (COUNT(*) AS ?c) { ?t :opened ?o } GROUP BY (YEAR(?o) AS ?y) (MONTH(?o) AS ?m)',
  states: 'SELECT ?s (COUNT(*) AS ?c) { ?t :status ?s } GROUP BY ?s',
  'states by project': 'SELECT ?l ?s (COUNT(*) AS ?c) { ?t :status ?s ; :project/:title ?l } GROUP BY ?l ?s',
  'hours by project':
    'SELECT ?p (SUM(?h) AS ?sum) (COUNT(?h) AS ?c) { ?t :project ?p OPTIONAL { ?t :hours ?h } } GROUP BY ?p',
  'hours beyond budget':
    'SELECT ?p ?b ?sum { ?p :budget ?b { SELECT ?p (SUM(?h) * 80 AS ?sum) { ?t :project ?p ; :hours ?h } GROUP BY ?p } FILTER(?sum > ?b) }',
  'who does it': 'SELECT ?t ?n { ?t :status "waiting" OPTIONAL { ?t :assignee ?u . ?u :name ?n } }',
  'names of both':
    'SELECT ?t ?n ?m { ?t :status "open" ; :reporter ?r . ?r :name ?n OPTIONAL { ?t :assignee ?a } OPTIONAL { ?a :name ?m } }',
  'nobody does it': 'SELECT ?t { ?t :status "open" FILTER NOT EXISTS { ?t :assignee ?u } }',
  'not closed': 'SELECT (COUNT(?t) AS ?c) { ?t :type :Ticket OPTIONAL { ?t :closed ?x } FILTER(!BOUND(?x)) }',
  'closed without hours': 'SELECT (COUNT(?t) AS ?c) { ?t :closed ?x MINUS { ?t :hours ?h } }',
  'own tickets': 'SELECT ?t ?u { ?t :reporter ?u ; :assignee ?u }',
  'same person by a filter': 'SELECT ?t ?u { ?t :reporter ?r ; :assignee ?u FILTER(?r = ?u) }',
  'blocked by open': 'SELECT ?t ?d { ?t :status "open" ; :dependsOn ?d . ?d :status "open" }',
  'blocked in the end': 'SELECT DISTINCT ?t ?d { ?t :status "waiting" ; :dependsOn+ ?d . ?d :status "open" }',
  'depends on one': 'SELECT ?t { ?t :dependsOn+ :ticket3 }',
  'blockers of many': 'SELECT ?d (COUNT(?t) AS ?c) { ?t :dependsOn ?d } GROUP BY ?d ORDER BY DESC(?c) ?d LIMIT 10',
  'busy people':
    'SELECT ?n (COUNT(?t) AS ?c) { ?t :status "open" ; :assignee ?u . ?u :name ?n } GROUP BY ?n HAVING (COUNT(?t) > 3)',
  'days to close':
    'SELECT ?p (COUNT(*) AS ?c) { ?t :opened ?o ; :closed ?x ; :priority ?p FILTER(YEAR(?x) - YEAR(?o) > 2) } GROUP BY ?p',
  'closed before due':
    'SELECT (COUNT(*) AS ?c) { ?t :closed ?x ; :due ?d FILTER(xsd:date(STRBEFORE(STR(?x), "T")) < ?d) }',
  'tagged both': 'SELECT ?t { ?t :tag "tag3" , "tag5" }',
  'tagged one of': 'SELECT DISTINCT ?t ?l { VALUES ?g { "tag30" "tag31" "tag32" } ?t :tag ?g ; :title ?l }',
  'tags of a project':
    'SELECT ?t (GROUP_CONCAT(DISTINCT ?s; separator=",") AS ?all) { ?t :project :project5 ; :status ?s } GROUP BY ?t',
  'title search': 'SELECT ?t ?l { ?t :title ?l FILTER(CONTAINS(LCASE(?l), "part17")) }',
  'highest values': 'SELECT ?m ?v { ?m :value ?v } ORDER BY DESC(?v) ?m LIMIT 10',
  'values in a range': 'SELECT ?m ?v { ?m :value ?v FILTER(?v > 99.5) }',
  'mean by device': 'SELECT ?d (AVG(?v) AS ?mean) (COUNT(*) AS ?c) { ?m :device ?d ; :value ?v } GROUP BY ?d',
  'mean of a month by project':
    'SELECT ?p (AVG(?v) AS ?mean) { ?m :device/:project ?p ; :value ?v ; :at ?a FILTER(?a >= "2024-02-01T00:00:00Z"^^xsd:dateTime && ?a < "2024-03-01T00:00:00Z"^^xsd:dateTime) } GROUP BY ?p',
  'above the limit': 'SELECT ?m ?v { ?m :device ?d ; :value ?v . ?d :limit ?l FILTER(?v > ?l) }',
  'above the limit and no ticket':
    'SELECT (COUNT(?m) AS ?c) { ?m :device ?d ; :value ?v . ?d :limit ?l FILTER(?v > ?l) FILTER NOT EXISTS { ?m :ticket ?t } }',
  'last of each device':
    'SELECT ?d ?a ?v { { SELECT ?d (MAX(?x) AS ?a) { ?m :device ?d ; :at ?x } GROUP BY ?d } ?n :device ?d ; :at ?a ; :value ?v }',
  'a device in a day':
    'SELECT ?a ?v { ?m :device :device5 ; :at ?a ; :value ?v FILTER(?a >= "2024-05-05T00:00:00Z"^^xsd:dateTime && ?a < "2024-05-12T00:00:00Z"^^xsd:dateTime) }',
  'by hour': 'SELECT ?h (MAX(?v) AS ?most) { ?m :at ?a ; :value ?v BIND(HOURS(?a) AS ?h) } GROUP BY ?h',
  'classes of values':
    'SELECT ?k (COUNT(*) AS ?c) { ?m :value ?v BIND(IF(?v < 40, "low", IF(?v < 80, "normal", "high")) AS ?k) } GROUP BY ?k',
  'measured for open tickets':
    'SELECT ?t ?m ?v { ?m :ticket ?t ; :value ?v FILTER EXISTS { ?t :status "open" ; :priority 5 } }',
};
