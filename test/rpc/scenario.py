"""The steps of scenario.ts for a Python client: the same, in the same order, with the same names."""
import json
import os
import time

from steps import ACCOUNT, _results

RPC = os.environ["RPC"]
NAMES = json.loads(os.environ["NAMES"])
BOOKS = ACCOUNT + "/books"


def at(server, method):
    """The attribute of a server proxy that calls a method with this dotted name."""
    for part in method.split("."):
        server = getattr(server, part)
    return server


def run(known, anonymous, wrong, batch, code):
    """known, anonymous, wrong: server proxies; batch: calls to results or numbers; code: the number of an exception."""

    def call(method, *params):
        return at(known, method)(*params)

    def code_of(method, *params, server=known):
        try:
            at(server, method)(*params)
            return "no error"
        except Exception as error:
            return code(error)

    def ended(operation):
        while True:
            job = call(NAMES["operation"], operation)
            if not job["working"]:
                return job["status"]
            time.sleep(0.02)

    def changed(step, *params):
        return [ended(call(NAMES[step], *params)), call(NAMES["count"], BOOKS)]

    _results["service"] = anonymous.DescribeService()
    _results["created"] = changed("create", BOOKS)
    _results["listed"] = call(NAMES["list"], "")
    _results["described"] = call(NAMES["describe"], BOOKS)
    _results["imported"] = changed("import", BOOKS, os.environ["DOCUMENT"], "", "")
    _results["importedAGraph"] = changed("import", BOOKS, os.environ["DOCUMENT"], "http://example.org/graph", "")
    _results["importedNothing"] = changed("import", BOOKS, os.environ["NO_DOCUMENT"], "", "")
    _results["batch"] = batch([
        ("DescribeService",),
        (NAMES["count"], BOOKS),
        ("NoSuchMethod", 1),
        (NAMES["count"], ACCOUNT + "/nothing"),
        (NAMES["list"], ""),
    ])
    _results["unknownMethod"] = code_of("NoSuchMethod")
    _results["prototypeMethods"] = [code_of("toString"), code_of("constructor", 1)]
    _results["tooFew"] = code_of(NAMES["count"])
    _results["tooMany"] = code_of(NAMES["count"], BOOKS, BOOKS)
    _results["wrongType"] = code_of(NAMES["count"], 17)
    _results["existing"] = code_of(NAMES["create"], BOOKS)
    _results["unknownOperation"] = code_of(NAMES["operation"], "00000000-0000-4000-8000-000000000000")
    _results["anonymous"] = code_of(NAMES["count"], BOOKS, server=anonymous)
    _results["falseToken"] = code_of("DescribeService", server=wrong)
    _results["cleared"] = changed("clear", BOOKS)
    _results["destroyed"] = ended(call(NAMES["destroy"], BOOKS))
    _results["gone"] = code_of(NAMES["count"], BOOKS)


def results_of(multicall, calls, code):
    """Runs calls in a MultiCall; gives the result of each, or the number of its error."""
    for method, *params in calls:
        at(multicall, method)(*params)
    answers = multicall()
    results = []
    for index in range(len(calls)):
        try:
            results.append(answers[index])
        except Exception as error:
            results.append(code(error))
    return results
