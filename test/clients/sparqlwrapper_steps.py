"""What users of SPARQLWrapper do: every form of query in every format, updates, errors."""
import warnings
from xml.dom.minidom import Document

import SPARQLWrapper as sw
from rdflib import Graph
from steps import ACCOUNT, PREFIXES, REPOSITORY, TOKEN, step

warnings.simplefilter("ignore")
SPARQL = REPOSITORY + "/sparql"


def wrapper(text, result_format=sw.JSON, method=sw.GET, request=sw.URLENCODED, credentials=(TOKEN, "X")):
    client = sw.SPARQLWrapper(SPARQL)
    client.setHTTPAuth(sw.BASIC)
    client.setCredentials(*credentials)
    client.setMethod(method)
    client.setRequestMethod(request)
    client.setReturnFormat(result_format)
    client.setQuery(PREFIXES + text)
    return client


NAMES = "SELECT ?name ?age { ?s foaf:name ?name ; ex:age ?age } ORDER BY ?age"


def names(**options):
    bindings = wrapper(NAMES, **options).queryAndConvert()["results"]["bindings"]
    return [[row["name"]["value"], row["age"]["value"], row["age"]["datatype"]] for row in bindings]


@step
def select_get():
    return names()


@step
def select_post():
    return names(method=sw.POST)


@step
def select_post_directly():
    return names(method=sw.POST, request=sw.POSTDIRECTLY)


@step
def select_as_the_account():
    return names(credentials=(ACCOUNT, TOKEN))


@step
def select_xml():
    document = wrapper(NAMES, sw.XML).queryAndConvert()
    assert isinstance(document, Document)
    return [node.firstChild.data for node in document.getElementsByTagName("literal")]


@step
def select_csv():
    return wrapper(NAMES, sw.CSV).queryAndConvert().decode().split()


@step
def select_tsv():
    return wrapper(NAMES, sw.TSV).queryAndConvert().decode().splitlines()


@step
def bindings():
    client = wrapper("SELECT ?title { ex:charles foaf:title ?title }")
    row = sw.SPARQLWrapper2(SPARQL)
    row.setHTTPAuth(sw.BASIC)
    row.setCredentials(TOKEN, "X")
    row.setQuery(client.queryString)
    return [[each["title"].value, each["title"].lang] for each in row.query().bindings]


@step
def ask():
    document = wrapper("ASK { ex:ada foaf:knows ex:charles }", sw.XML).queryAndConvert()
    return [
        wrapper("ASK { ex:ada foaf:knows ex:charles }").queryAndConvert()["boolean"],
        wrapper("ASK { ex:charles foaf:knows ex:ada }").queryAndConvert()["boolean"],
        document.getElementsByTagName("boolean")[0].firstChild.data,
    ]


def graphs(text):
    objects = {}
    for result_format in (sw.XML, sw.RDFXML):
        graph = wrapper(text, result_format).queryAndConvert()
        objects[result_format] = sorted(str(each) for each in graph.objects())
    for result_format in (sw.TURTLE, sw.N3):
        document = wrapper(text, result_format).queryAndConvert()
        objects[result_format] = sorted(str(each) for each in Graph().parse(data=document, format=result_format).objects())
    return objects


@step
def construct():
    return graphs("CONSTRUCT { ?s ex:called ?name } WHERE { ?s foaf:name ?name }")


@step
def describe():
    return graphs("DESCRIBE ex:charles")


@step
def update():
    for request in (sw.URLENCODED, sw.POSTDIRECTLY):
        inserted = wrapper(f"INSERT DATA {{ ex:new ex:by '{request}' }}", method=sw.POST, request=request).query()
        assert inserted.response.status in (200, 204), inserted.response.status
    rows = wrapper("SELECT ?how { ex:new ex:by ?how } ORDER BY ?how").queryAndConvert()["results"]["bindings"]
    wrapper("DELETE WHERE { ex:new ?p ?o }", sw.XML, sw.POST).query()
    left = wrapper("ASK { ex:new ?p ?o }").queryAndConvert()["boolean"]
    return [[row["how"]["value"] for row in rows], left]


@step
def dataset():
    wrapper("INSERT DATA { GRAPH ex:graph { ex:ada ex:inGraph 1 } }", method=sw.POST).query()
    client = wrapper("SELECT ?s { ?s ex:inGraph 1 }")
    unseen = len(client.queryAndConvert()["results"]["bindings"])
    client.addDefaultGraph("http://example.org/graph")
    return [unseen, len(client.queryAndConvert()["results"]["bindings"])]


@step
def broken_query():
    wrapper("SELECT * { ?s ").query()


@step
def without_a_token():
    wrapper("ASK {}", credentials=("", "")).query()


@step
def false_token():
    wrapper("ASK {}", credentials=("nothing", "X")).query()


@step
def unknown_repository():
    client = wrapper("ASK {}")
    client.endpoint = REPOSITORY + "-not/sparql"
    client.query()
