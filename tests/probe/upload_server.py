"""A small HTTPS server on 127.0.0.1 whose paths misbehave in known ways; for upload_test.cpp. It remembers each request by path.

/ok 201 · /status/N · /flaky/KEY/N (503 N times, then 200) · /drop/KEY/N (closes half-way N times) · /slow (reads slowly, then 200)
/never (reads, never answers) · /trickle (answers a byte a second) · /endless · /redirect/N/CODE (N more hops, then /ok) · /to-http
/to-host (the same server by another name) · /loop · /busy/KEY (429 with Retry-After: 1, then 200) · /log/PATH (what PATH received, as JSON)
"""
import collections
import http.server
import json
import ssl
import sys
import threading
import time

seen = collections.defaultdict(list)
tries = collections.Counter()
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, text=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def first_times(self, times):
        with lock:
            tries[self.path] += 1
            return tries[self.path] <= times

    def body(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            seen[self.path].append({"method": self.command, "body": text.decode("utf-8", "replace"),
                                    "authorization": self.headers.get("Authorization"), "key": self.headers.get("Idempotency-Key"),
                                    "type": self.headers.get("Content-Type")})

    def do_GET(self):
        with lock:
            text = json.dumps(seen.get(self.path[len("/log"):], [])).encode()
        self.answer(200, text)

    def do_PUT(self):
        parts = self.path.split("?")[0].strip("/").split("/")
        getattr(self, "on_" + parts[0].replace("-", "_"))(*parts[1:])

    do_POST = do_PUT

    def on_ok(self):
        self.body()
        self.answer(201)

    def on_status(self, status):
        self.body()
        self.answer(int(status), b"the reason\x1b[31m in words\nsecond line")

    def on_flaky(self, _, times):
        self.body()
        self.answer(503 if self.first_times(int(times)) else 200)

    def on_busy(self, _):
        self.body()
        if self.first_times(1):
            self.answer(429, Retry_After="1")
        else:
            self.answer(200)

    def on_drop(self, _, times):
        if self.first_times(int(times)):
            self.rfile.read(int(self.headers["Content-Length"]) // 2)
            self.close_connection = True
            self.connection.close()
        else:
            self.on_ok()

    def on_slow(self):
        left, text = int(self.headers["Content-Length"]), b""
        while left > 0:
            piece = self.rfile.read(min(left, 8192))
            left -= len(piece)
            text += piece
            time.sleep(0.02)
        with lock:
            seen[self.path].append({"method": self.command, "body": text.decode()})
        self.answer(200)

    def on_never(self):
        self.body()
        time.sleep(30)

    def on_trickle(self):
        self.body()
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        for _ in range(20):
            self.wfile.write(b".")
            self.wfile.flush()
            time.sleep(1)

    def on_endless(self):
        self.body()
        self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            self.wfile.write(b"x" * 65536)

    def on_redirect(self, hops, code):
        self.body()
        target = "/ok" if hops == "1" else f"/redirect/{int(hops) - 1}/{code}"
        self.answer(int(code), Location=target)

    def on_loop(self):
        self.body()
        self.answer(307, Location="/loop")

    def on_to_http(self):
        self.body()
        self.answer(307, Location="http://127.0.0.1/ok")

    def on_to_host(self):
        self.body()
        self.answer(307, Location=f"https://localhost:{self.server.server_port}/ok")

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # dropped connections are what this server is for


def serve(certificate, key):
    """Starts the server on a free port and returns it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    print(serve(*sys.argv[1:3]).server_port, flush=True)
    sys.stdin.read()
