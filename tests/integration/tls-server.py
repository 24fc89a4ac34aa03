#!/usr/bin/env python3
"""tls-server.py DIR CERTS: servers on 127.0.0.1 that behave as the file names
in DIR/want say, a line each:

  NAME CERT WHAT [REPLY]...

CERT is CERTS/CERT.pem with CERT.key. WHAT:
  reply     TLS 1.2, read a request, send REPLY; each connection takes the next
            of several, the last stays
  early     send REPLY after the head, do not read the body, shut
  tls13 tls11 cbc mtls   no version, cipher or certificate in common
  plain     no TLS: send REPLY at once
  silent    accept, say nothing
  mute      shake hands, say nothing
  drip      a byte of REPLY each half second
  reset     shake hands, read, and reset
  cut       send REPLY and close without close_notify
REPLY has \\r \\n \\xNN; "@N" is N times x.
The port is written to DIR/NAME.port, each request to DIR/NAME.N (head and body).
Ends by itself after 300 s.
"""
import re
import socket
import ssl
import struct
import sys
import threading
import time

folder, certs = sys.argv[1:3]
LIMIT = time.time() + 300


def unescape(s):
    s = re.sub(r"@(\d+)", lambda m: "x" * int(m.group(1)), s)
    return s.encode().decode("unicode_escape").encode("latin-1")


def context(cert, what):
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    c.set_ciphers("ALL:@SECLEVEL=0")
    c.load_cert_chain(f"{certs}/{cert}.pem", f"{certs}/{cert}.key")
    if what == "tls13":
        c.minimum_version = ssl.TLSVersion.TLSv1_3
    elif what == "tls11":
        c.minimum_version = ssl.TLSVersion.TLSv1
        c.maximum_version = ssl.TLSVersion.TLSv1_1
    else:
        c.maximum_version = ssl.TLSVersion.TLSv1_2
    if what == "cbc":
        c.set_ciphers("AES128-SHA:@SECLEVEL=0")
    if what == "mtls":
        c.verify_mode = ssl.CERT_REQUIRED
        c.load_verify_locations(f"{certs}/root.crt")
    return c


def read_request(s, body=True):
    data = b""
    while b"\r\n\r\n" not in data:
        more = s.recv(65536)
        if not more:
            return data
        data += more
    length = re.search(rb"(?i)content-length: (\d+)", data)
    end = data.index(b"\r\n\r\n") + 4 + (int(length.group(1)) if length else 0)
    while body and len(data) < end:
        more = s.recv(65536)
        if not more:
            break
        data += more
    return data


def answer(s, name, what, reply, n):
    data = read_request(s, what != "early")
    with open(f"{folder}/{name}.{n}", "wb") as f:
        f.write(data)
    if what == "mute":
        time.sleep(60)
    elif what == "drip":
        for b in reply:
            s.sendall(bytes([b]))
            time.sleep(0.5)
    elif what == "reset":
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    else:
        s.sendall(reply)


def serve(name, cert, what, replies):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(1)
    ctx = None if what in ("plain", "silent") else context(cert, what)
    with open(f"{folder}/{name}.port", "w") as f:
        f.write(str(listener.getsockname()[1]))
    n = 0
    while time.time() < LIMIT:
        try:
            s, _ = listener.accept()
        except TimeoutError:
            continue
        s.settimeout(60)
        reply = unescape(replies[min(n, len(replies) - 1)]) if replies else b""
        n += 1
        threading.Thread(target=one, args=(s, ctx, name, what, reply, n), daemon=True).start()


def one(s, ctx, name, what, reply, n):
    try:
        if what == "plain":
            s.sendall(reply)
            s.recv(1000)
        elif what == "silent":
            time.sleep(60)
        else:
            t = ctx.wrap_socket(s, server_side=True)
            answer(t, name, what, reply, n)
            if what not in ("cut", "reset"):
                t.unwrap()
            t.close()
    except (OSError, ValueError):
        pass
    finally:
        s.close()


for line in open(f"{folder}/want"):
    name, cert, what, *replies = line.rstrip("\n").split(" ")
    replies = [r.replace("_", " ") for r in replies]
    threading.Thread(target=serve, args=(name, cert, what, replies), daemon=True).start()
time.sleep(max(0, LIMIT - time.time()))
