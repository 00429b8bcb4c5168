"""jsonrpclib (Debian's python3-jsonrpclib-pelix), with MultiCall and notifications."""
from jsonrpclib import MultiCall, ProtocolError, ServerProxy
from jsonrpclib.jsonrpc import TransportError

from scenario import RPC, results_of, run
from steps import ACCOUNT, TOKEN, step


def proxy(user):
    return ServerProxy(RPC.replace("//", f"//{user}:X@"))


def code(error):
    if isinstance(error, TransportError):
        return error.errcode
    assert isinstance(error, ProtocolError), repr(error)
    return error.args[0][0]


known = proxy(TOKEN)
run(known, ServerProxy(RPC), proxy("nothing"), lambda calls: results_of(MultiCall(known), calls, code), code)


@step
def by_name():
    return known.CountStatements(repository=ACCOUNT + "/default")


@step
def notification():
    return known._notify.DescribeService()


@step
def notifications():
    batch = MultiCall(known)
    batch._notify.DescribeService()
    batch._notify.NoSuchMethod()
    return list(batch())
