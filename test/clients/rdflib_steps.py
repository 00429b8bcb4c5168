"""What users of rdflib do: a remote SPARQL endpoint as a graph, and the Graph Store Protocol with its parsers."""
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from rdflib import ConjunctiveGraph, Dataset, Graph, Literal, Namespace
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
from rdflib.namespace import FOAF, RDF
from rdflib.plugins.stores.sparqlstore import SPARQLStore, SPARQLUpdateStore
from steps import PREFIXES, REPOSITORY, TOKEN, step

EX = Namespace("http://example.org/")
SPARQL = REPOSITORY + "/sparql"
AUTH = (TOKEN, "")


def reading(**options):
    return Graph(SPARQLStore(SPARQL, auth=AUTH, **options))


def writing(**options):
    return Graph(SPARQLUpdateStore(SPARQL, SPARQL, auth=AUTH, **options), DATASET_DEFAULT_GRAPH_ID)


def service(method, query, data=None, content_type="text/turtle", accept="text/turtle"):
    headers = {"Authorization": "Bearer " + TOKEN, "Accept": accept, "Content-Type": content_type}
    body = None if data is None else data.encode()
    with urlopen(Request(REPOSITORY + "/service?" + query, body, headers, method=method)) as response:
        return response.status, response.read().decode()


@step
def triples():
    return sorted(str(name) for name in reading().objects(EX.ada, FOAF.name))


@step
def length():
    return len(reading())


@step
def contains():
    graph = reading()
    return [(EX.ada, RDF.type, FOAF.Person) in graph, (EX.ada, EX.age, Literal(37)) in graph]


def names(**options):
    rows = reading(**options).query(PREFIXES + "SELECT ?name ?age { ?s foaf:name ?name ; ex:age ?age } ORDER BY ?age")
    return [[str(row.name), row.age.toPython()] for row in rows]


@step
def select_xml():
    return names()


@step
def select_json():
    return names(returnFormat="json")


@step
def select_csv():
    rows = reading(returnFormat="csv").query(PREFIXES + "SELECT ?name { ex:ada foaf:name ?name }")
    return [str(row[0]) for row in rows]


@step
def select_post():
    return names(method="POST")


@step
def select_post_form():
    return names(method="POST_FORM")


@step
def ask():
    return bool(reading().query(PREFIXES + "ASK { ex:ada foaf:knows ex:charles }").askAnswer)


@step
def construct():
    result = reading().query(PREFIXES + "CONSTRUCT { ?o foaf:knows ?s } WHERE { ?s foaf:knows ?o }")
    return [[str(term) for term in triple] for triple in result.graph]


@step
def describe():
    result = reading().query(PREFIXES + "DESCRIBE ex:ada")
    return sorted(str(predicate) for predicate in result.graph.predicates(EX.ada))


@step
def add_and_remove():
    graph = writing()
    before = len(graph)
    graph.add((EX.grace, FOAF.name, Literal("Grace \"Hopper\"\n", lang="en")))
    added = str(graph.value(EX.grace, FOAF.name))
    graph.remove((EX.grace, None, None))
    return [before, added, len(graph)]


@step
def update():
    graph = writing()
    graph.store.update(PREFIXES + "INSERT { ?s ex:old true } WHERE { ?s ex:age ?age FILTER (?age > 70) }")
    return [str(subject) for subject in graph.subjects(EX.old, Literal(True))]


@step
def named_graphs():
    dataset = Dataset(SPARQLUpdateStore(SPARQL, SPARQL, auth=AUTH))
    graph = dataset.graph(EX.graph)
    graph.add((EX.ada, EX.inGraph, Literal(1)))
    graphs = [str(name) for name in dataset.store.contexts()]
    graph.update(PREFIXES + "INSERT DATA { ex:ada ex:inGraph 2 }")
    rows = graph.query(PREFIXES + "SELECT ?o { ex:ada ?p ?o }")
    graph.remove((EX.ada, EX.inGraph, Literal(2)))
    return [graphs, sorted(row.o.toPython() for row in rows), len(graph)]


@step
def uncommitted():
    graph = writing(autocommit=False)
    graph.add((EX.alan, FOAF.name, Literal("Alan")))
    unseen = len(list(reading().objects(EX.alan, FOAF.name)))
    graph.commit()
    return [unseen, [str(name) for name in reading().objects(EX.alan, FOAF.name)]]


@step
def graph_store():
    data = Graph().parse(data="<http://example.org/a> <http://example.org/p> 1, 2 .", format="turtle")
    query = "graph=http://example.org/stored"
    created, _ = service("PUT", query, data.serialize(format="xml"), "application/rdf+xml")
    extra, _ = service("POST", query, "<http://example.org/a> <http://example.org/p> 3 .")
    formats = {
        "turtle": "text/turtle",
        "nt": "application/n-triples",
        "xml": "application/rdf+xml",
        "json-ld": "application/ld+json",
        "n3": "text/n3",
    }
    read = {
        name: sorted(o.toPython() for o in Graph().parse(data=service("GET", query, accept=mime)[1], format=name).objects())
        for name, mime in formats.items()
    }
    deleted, _ = service("DELETE", query)
    return [created, extra, read, deleted]


@step
def quads():
    def graphs(mime, name):
        dataset = ConjunctiveGraph()
        dataset.parse(data=service("GET", "", accept=mime)[1], format=name)
        return sorted(str(graph.identifier) for *_, graph in dataset.quads((EX.ada, EX.inGraph, None)))

    return [graphs("application/trig", "trig"), graphs("application/n-quads", "nquads")]


@step
def without_a_token():
    try:
        urlopen(SPARQL + "?query=ASK%7B%7D")
    except HTTPError as error:
        return [error.code, error.headers["WWW-Authenticate"]]


@step
def broken_query():
    return reading(method="POST").query("SELECT * { ?s ")
