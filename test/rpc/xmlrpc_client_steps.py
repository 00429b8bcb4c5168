"""xmlrpc.client of Python's standard library, with MultiCall."""
from datetime import datetime
from xmlrpc.client import Binary, Fault, MultiCall, ServerProxy

from scenario import RPC, results_of, run
from steps import TOKEN, step


def proxy(user, **options):
    return ServerProxy(RPC.replace("//", f"//{user}:X@"), **options)


def code(error):
    return error.faultCode if isinstance(error, Fault) else error.errcode


known = proxy(TOKEN)
anonymous = ServerProxy(RPC)
run(known, anonymous, proxy("nothing"), lambda calls: results_of(MultiCall(known), calls, code), code)


@step
def methods():
    return anonymous.system.listMethods()


@step
def signature():
    return anonymous.system.methodSignature("DescribeService")


@step
def help_text():
    return anonymous.system.methodHelp("DescribeService")


@step
def values():
    """Every type that the client can write arrives, where it is refused."""
    server = proxy(TOKEN, allow_none=True)
    codes = []
    for value in (1, 1.5, 1e20, True, None, datetime.now(), Binary(b"x"), ["a"], {"a": "b"}, "\r\n<&>"):
        try:
            server.CountStatements(value)
        except Fault as error:
            codes.append(error.faultCode)
    return codes
