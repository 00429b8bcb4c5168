"""What users of rdflib do with a repository that is public: documents by their address, SERVICE in a query of their own."""
from urllib.error import HTTPError

from rdflib import ConjunctiveGraph, Graph, Namespace
from rdflib.namespace import FOAF
from rdflib.plugins.stores.sparqlstore import SPARQLUpdateStore
from steps import PREFIXES, REPOSITORY, step

EX = Namespace("http://example.org/")
SPARQL = REPOSITORY + "/sparql"


@step
def documents():
    formats = ["turtle", "nt", "xml", "n3", "json-ld", None]
    return {str(name): len(Graph().parse(REPOSITORY + "/statements", format=name)) for name in formats}


@step
def extensions():
    names = [".ttl", ".nt", ".rdf", ".jsonld"]
    return {name: len(Graph().parse(REPOSITORY + name)) for name in names}


@step
def quads():
    sizes = {}
    # It asks for RDF/XML whatever it is told to expect, so the address says what it is to get.
    for name, extension in (("trig", ".trig"), ("nquads", ".nq"), ("trix", ".trix")):
        dataset = ConjunctiveGraph()
        dataset.parse(REPOSITORY + extension, format=name)
        sizes[name] = [len(dataset), len(dataset.get_context(EX.graph))]
    return sizes


@step
def graph():
    return [str(o) for o in Graph().parse(REPOSITORY + "/service?graph=" + EX.graph, format="turtle").objects()]


@step
def result_of_a_query():
    query = "CONSTRUCT%20WHERE%20%7B%20%3Fs%20%3Chttp://xmlns.com/foaf/0.1/name%3E%20%3Fn%20%7D"
    return sorted(str(o) for o in Graph().parse(SPARQL + "?query=" + query, format="turtle").objects())


@step
def service():
    local = Graph().parse(data="@prefix ex: <http://example.org/> . ex:ada ex:wrote ex:notes .", format="turtle")
    # Literals of neither a language nor a datatype get lost in it.
    text = PREFIXES + f"SELECT ?age ?known {{ ?s ex:wrote ?w SERVICE <{SPARQL}> {{ ?s ex:age ?age ; foaf:knows ?known }} }}"
    return [[row.age.toPython(), str(row.known)] for row in local.query(text)]


@step
def anonymous_update():
    try:
        SPARQLUpdateStore(SPARQL, SPARQL).add((EX.a, FOAF.name, EX.b))
    except HTTPError as error:
        return error.code
