"""Asks sqlite-vec for the nearest vectors: VECTORS QUESTIONS DIMENSION K ROUNDS. Prints milliseconds for each question, by rounds."""
import json
import sys
import time

import apsw
import sqlite_vec

vectors, questions, dimension, k, rounds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
size = dimension * 4


def parts(path):
    with open(path, "rb") as file:
        data = file.read()
    return [data[at : at + size] for at in range(0, len(data), size)]


db = apsw.Connection(":memory:")
db.enable_load_extension(True)
db.load_extension(sqlite_vec.loadable_path())
db.execute(f"create virtual table v using vec0(e float[{dimension}] distance_metric=cosine)")
with db:
    db.executemany("insert into v(rowid, e) values (?, ?)", enumerate(parts(vectors)))
asked = parts(questions)
ms = []
for number in range(rounds + 1):
    start = time.perf_counter()
    for each in asked:
        list(db.execute("select rowid, distance from v where e match ? and k = ?", (each, k)))
    # The first one warms up.
    if number > 0:
        ms.append((time.perf_counter() - start) * 1000 / len(asked))
print(json.dumps({"version": sqlite_vec.__version__, "ms": ms}))
