"""Checks receipts: check-receipt.py SCHEMA RECEIPT...

First by the JSON Schema with an independent validator, then by the rules that
a schema cannot say. Prints what is wrong; exit 1 if anything.
"""

import json
import os
import socket
import sys

import jsonschema

PERCENTILES = ("p50", "p95", "p99", "p99_9", "p99_99")
wrong = []


def no_twins(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        wrong.append("a key occurs twice: %s" % sorted(keys))
    return dict(pairs)


def not_a_number(text):
    wrong.append("not a JSON number: " + text)


def walk(value, path=""):
    yield path, value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, path + "." + key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(inner, "%s[%d]" % (path, index))


def check_text(data):
    if not data.endswith(b"\n") or data.endswith(b"\n\n"):
        wrong.append("no single line feed at the end")
    if b"\r" in data or b"\0" in data or b"\x1b" in data:
        wrong.append("a control byte")


def check_latency(lat, path):
    n = lat.get("n")
    if "buckets" in lat or "bucket_bits" in lat:
        check_buckets(lat, path)
    values = [lat[p] for p in PERCENTILES if lat.get(p) is not None]
    if values != sorted(values):
        wrong.append(path + ": percentiles out of order")
    if not n:
        if any(lat.get(key) for key in ("min", "mean", "max")) or values:
            wrong.append(path + ": figures without a sample")
        return
    low, high = lat.get("min"), lat.get("max")
    if low is not None and high is not None:
        for value in values + [lat["mean"]] * ("mean" in lat):
            if not low <= value <= high:
                wrong.append("%s: %s outside [%s, %s]" % (path, value, low, high))
    for name, share in (("p95", 0.05), ("p99", 0.01), ("p99_9", 0.001), ("p99_99", 0.0001)):
        if lat.get(name) is not None and n * share < 1 - 1e-9:
            wrong.append("%s: %s of %d samples is not withheld" % (path, name, n))


def bucket_of(ns, bits):
    shift = max(0, ns.bit_length() - 1 - bits)
    return (shift << bits) + (ns >> shift)


def check_buckets(lat, path):
    """The coding; the first and the last are those of min and max."""
    bits = lat.get("bucket_bits", 6)
    if bits not in (4, 6) or "bucket_bits" in lat and "buckets" not in lat:
        wrong.append("%s: bucket_bits %s" % (path, lat["bucket_bits"]))
        return
    if "clat_ns" in path and bits != 6:
        wrong.append(path + ": buckets that are not fio's")
    numbers = iter(lat["buckets"])
    first = index = next(numbers)
    total, last = 0, None
    for number in numbers:
        if number == 0:
            index += next(numbers)
            continue
        total, last = total + number, index
        index += 1
    top = bucket_of((1 << 34) - 1, bits)
    for at, ns in ((first, lat["min"]), (last, lat["max"])):
        if at != min(bucket_of(ns, bits), top):
            wrong.append("%s: bucket %s at an end, but %d ns" % (path, at, ns))
    if total != lat["n"]:
        wrong.append("%s: buckets add up to %d, not %d" % (path, total, lat["n"]))


def check_direction(window, name, path):
    part = window[name]
    at = path + "." + name
    for key in ("clat_ns", "slat_ns", "lat_ns"):
        if key in part:
            check_latency(part[key], at + "." + key)
    if name == "sync":
        return
    ios, elapsed = part.get("ios"), window.get("elapsed_ns")
    if ios and elapsed and part.get("iops") is not None:
        rate = ios * 1e9 / elapsed
        if abs(part["iops"] - rate) > rate * 0.001 + 0.01:
            wrong.append("%s: iops %s, but %d in %d ns" % (at, part["iops"], ios, elapsed))
    if ios == 0 and part.get("iops") is not None:
        wrong.append(at + ": a rate without an I/O")
    series = window.get("series", {}).get(name + "_ios")
    if series is not None and sum(series) != ios:
        wrong.append("%s: series adds up to %d, not %d" % (at, sum(series), ios))


def check_windows(receipt):
    for index, window in enumerate(receipt.get("windows", [])):
        path = "windows[%d]" % index
        for name in ("read", "write", "sync"):
            if name in window:
                check_direction(window, name, path)
        if "commit" in window:
            check_latency(window["commit"]["lat_ns"], path + ".commit")
        if receipt["complete"]:
            for check in window.get("checks", []):
                if not check["holds"]:
                    wrong.append("%s: %s does not hold, but complete" % (path, check["name"]))
            for name in ("read", "write"):
                if window.get(name, {}).get("errors"):
                    wrong.append(path + ": errors, but complete")


def check_verdict(receipt):
    if receipt["complete"]:
        if receipt.get("incomplete"):
            wrong.append("complete, and incomplete: %s" % receipt["incomplete"])
        if not receipt.get("cleanup", {}).get("lab_removed"):
            wrong.append("complete without a clean-up")
        if not receipt.get("windows") and not receipt.get("probe"):
            wrong.append("complete without a window")
        probe = receipt.get("probe")
        if probe and len(probe["samples"]) != probe["job"]["runs"]:
            wrong.append("complete without all samples of the probe")
    elif not receipt.get("incomplete"):
        wrong.append("not complete, and no reason is given")


def check_privacy(text):
    names = {socket.gethostname(), os.uname().nodename}
    for name in names:
        if len(name) > 3 and name in text:
            wrong.append("the name of the host is in it")
    try:
        with open("/etc/machine-id", encoding="ascii") as file:
            if file.read().strip() in text:
                wrong.append("the machine-id is in it")
    except OSError:
        pass
    for path in ("/tmp/", "/var/tmp/", "/home/", "/root/"):
        if '"' + path in text:
            wrong.append("a path of the machine is in it: " + path)


def check(schema, path):
    with open(path, "rb") as file:
        data = file.read()
    check_text(data)
    text = data.decode("utf-8")
    receipt = json.loads(text, object_pairs_hook=no_twins, parse_constant=not_a_number)
    for error in schema.iter_errors(receipt):
        wrong.append("schema: %s: %s" % ("/".join(map(str, error.path)), error.message[:200]))
    for where, value in walk(receipt):
        if value == "" and not where.endswith(("note", ".sub", ".nonce")):
            wrong.append("an empty text instead of an absent one: " + where)
    check_windows(receipt)
    check_verdict(receipt)
    check_privacy(text)
    limit = 65536 if receipt.get("plan", {}).get("suite") == "baseline" else 262144
    if len(data) > limit:
        wrong.append("%d bytes, more than %d" % (len(data), limit))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rules = json.load(file)
    kind = jsonschema.validators.validator_for(rules)
    kind.check_schema(rules)
    bad = 0
    for path in sys.argv[2:]:
        wrong.clear()
        try:
            check(kind(rules), path)
        except (ValueError, KeyError, TypeError) as error:
            wrong.append("%s: %s" % (type(error).__name__, error))
        for line in wrong:
            print("%s: %s" % (os.path.basename(path), line))
        bad |= bool(wrong)
    return bad


sys.exit(main())
