"""Collects what the steps of a script give and prints it as one JSON object."""
import atexit
import json
import os

REPOSITORY = os.environ["REPOSITORY"]
ACCOUNT = os.environ["ACCOUNT"]
TOKEN = os.environ["TOKEN"]
PREFIXES = "PREFIX ex: <http://example.org/> PREFIX foaf: <http://xmlns.com/foaf/0.1/> "

_results = {}
atexit.register(lambda: print(json.dumps(_results)))


def step(function):
    """Runs a function; its result, or its error, is kept under its name."""
    try:
        _results[function.__name__] = function()
    except Exception as error:
        _results[function.__name__] = {"error": type(error).__name__, "message": str(error)}
    return function
