"""Runs queries over native Oxigraph for the benchmark: `pyoxigraph_runner.py DIRECTORY [FILE]`.

Opens the store in DIRECTORY and loads FILE (N-Triples or N-Quads) if it is given. Then it answers lines of standard
input by lines of standard output, all of them JSON. bench/src/peers/peer-process.ts describes them.
"""

import json
import os
import queue
import sys
import threading
import time
from importlib.metadata import version

import pyoxigraph as ox


def main(directory, file=None):
    store = ox.Store(directory)
    if file is not None:
        store.bulk_load(path=file, format=ox.RdfFormat.N_QUADS, lenient=True)
        store.optimize()
    say({"quads": len(store), "version": f"pyoxigraph {version('pyoxigraph')}"})
    requests = queue.Queue()
    threading.Thread(target=read_requests, args=(requests,), daemon=True).start()
    while True:
        request = json.loads(requests.get())
        try:
            say(answer(store, request))
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"})


def read_requests(requests):
    """Ends this process when the benchmark ends, even while a query runs: Oxigraph releases the interpreter's lock."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)


def say(reply):
    print(json.dumps(reply), flush=True)


def answer(store, request):
    path = request.get("answer")
    begin = time.perf_counter_ns()
    result = store.query(request["query"])
    rows = counted(result) if path is None else written(result, path)
    return {"rows": rows, "ns": time.perf_counter_ns() - begin}


def counted(result):
    """Reads all texts of the answer. Native code writes them, which takes less time than making objects of Python."""
    if isinstance(result, ox.QueryBoolean):
        return 1 if result else 0
    if isinstance(result, ox.QueryTriples):
        return result.serialize(format=ox.RdfFormat.N_TRIPLES).count(b"\n")
    # Line ends in literals are escaped. The first line has the names of the variables.
    return result.serialize(format=ox.QueryResultsFormat.TSV).count(b"\n") - 1


def written(result, path):
    """Writes each row as a line: a list of lists of name, kind, text and datatype."""
    if isinstance(result, ox.QueryBoolean):
        return 1 if result else 0
    rows = 0
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for row in rows_of(result):
            out.write(json.dumps([[name, *parts(term)] for name, term in row if term is not None]))
            out.write("\n")
            rows += 1
    return rows


def rows_of(result):
    if isinstance(result, ox.QueryTriples):
        for triple in result:
            yield zip(("subject", "predicate", "object"), triple)
    else:
        names = [variable.value for variable in result.variables]
        for solution in result:
            yield zip(names, solution)


def parts(term):
    if isinstance(term, ox.NamedNode):
        return ["iri", term.value]
    if isinstance(term, ox.Literal):
        return ["literal", term.value, term.datatype.value]
    if isinstance(term, ox.BlankNode):
        return ["blank", ""]
    return ["triple", str(term)]


main(*sys.argv[1:])
