"""Breaks a receipt in every way that the schema speaks of: schema.py SCHEMA
RECEIPT COMMAND...

For each place in the receipt that is unlike the others: its key is left out,
its value is replaced by one of each other kind, an unknown key is put beside
it. An independent validator and the reader of the binary (COMMAND FILE: status
0 or 65) must say the same of each. Prints where they differ; exit 1 if
anywhere.
"""

import copy
import json
import os
import subprocess
import sys
import tempfile

import jsonschema

VALUES = (None, True, 0, -1, 1.5, 2**53 - 1, 2**53, 1e300, "", "x", "a\tb", "a\nb",
          "\x1b[31m", "\u2028", "x" * 5000, [], [0], [-1], [None], {}, {"x": 1})


def places(value, path=(), kind=()):
    """Each path, one of every kind: list indexes count as one."""
    yield kind, path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, path + (key,), kind + (key,))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, path + (index,), kind + ("[]",))


def parent(receipt, path):
    for step in path[:-1]:
        receipt = receipt[step]
    return receipt


def broken(receipt):
    """Yields (what was done, the receipt after it)."""
    for kind, path in {k: p for k, p in places(receipt)}.items():
        name = ".".join(kind) or "the whole"
        if path:
            out = copy.deepcopy(receipt)
            del parent(out, path)[path[-1]]
            yield name + " left out", out
        for value in VALUES:
            if not path:
                yield "%s is %.20r" % (name, value), value
                continue
            out = copy.deepcopy(receipt)
            parent(out, path)[path[-1]] = value
            yield "%s is %.20r" % (name, value), out
        out = copy.deepcopy(receipt)
        at = out
        for step in path:
            at = at[step]
        if isinstance(at, dict):
            at["unknown"] = 1
            yield name + " has an unknown key", out


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        receipt = json.load(file)
    # Small is fast: the two windows that have everything, buckets but once.
    receipt["windows"] = receipt["windows"][4:]
    for window in receipt["windows"]:
        window["checks"] = window["checks"][:1]
        for lane in ("read", "write", "sync", "commit"):
            for latency in window.get(lane, {}).values():
                if isinstance(latency, dict) and lane != "sync":
                    latency.pop("buckets", None)
    del receipt["summary"]["qd1_all_runs"]["buckets"]
    receipt["complete"] = False
    receipt["incomplete"] = [{"what": "windows", "why": "some"}]
    validator = jsonschema.validators.validator_for(schema)(schema)
    count = accepted = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "receipt.json")
        for what, value in broken(receipt):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file, ensure_ascii=False)
            valid = validator.is_valid(value)
            run = subprocess.run(sys.argv[3:] + [path], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, check=False)
            count += 1
            accepted += run.returncode == 0
            # the reader may know better than the schema, never the other way
            said = run.stderr.decode("utf-8", "replace").strip()
            if run.returncode not in (0, 65) or (run.returncode == 0 and not valid):
                print("%s: validator %s, status %d: %s" % (what, valid, run.returncode, said))
                differing += 1
            elif run.returncode and valid and not stricter(what, said):
                print("%s: valid, but: %s" % (what, said))
                differing += 1
            if "\x1b" in said:
                print("%s: an escape in the message" % what)
                differing += 1
    print("%d receipts, %d of them accepted" % (count, accepted))
    return 1 if differing or accepted < 20 or count - accepted < 500 else 0


def stricter(what, said):
    """What a schema cannot say, but the reader does."""
    return any(words in said for words in (
        "percentile", "outside", "order", "buckets", "samples", "min above",
        "complete, but", "none of the plan", "run is not in", "there twice"))


sys.exit(main())
