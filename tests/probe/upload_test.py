"""Makes certificates, starts the misbehaving server twice (a trusted certificate, and one for another name), and runs the tests in
PROGRAM (gpuplan_probe_upload_tests) and the command line of SIM (gpuplan-probe-sim) against them."""
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import upload_server  # noqa: E402


def certificate(folder, name, alternative):
    key, cert = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName={alternative}"], check=True, capture_output=True)
    return str(cert), str(key)


def log(port, path, ca):
    context = ssl.create_default_context(cafile=ca)
    return json.load(urllib.request.urlopen(f"https://127.0.0.1:{port}/log{path}", context=context))


def command_line(sim, port, cert, folder):
    """The program end to end: measures on the simulated machine and uploads."""
    env = dict(os.environ, TEST_TOKEN="very-secret-token")
    base = [sim, "--quick", "--only", "launch", "-o", "p.json", "--ca-file", cert]

    def run(*arguments, expect, environment=env):
        done = subprocess.run([*base, *arguments], cwd=folder, capture_output=True, text=True, env=environment, timeout=60)
        assert done.returncode == expect, (arguments, done.returncode, done.stderr)
        assert "very-secret-token" not in done.stdout + done.stderr
        return done

    good = run("--upload", f"https://127.0.0.1:{port}/ok?signature=hidden", "--token-env", "TEST_TOKEN", expect=0)
    assert "hidden" not in good.stdout + good.stderr
    sent = log(port, "/ok?signature=hidden", cert)
    kept = (folder / "p.json").read_text()
    assert [s["body"] for s in sent] == [kept] and sent[0]["authorization"] == "Bearer very-secret-token", sent
    assert sent[0]["method"] == "PUT" and sent[0]["type"] == "application/json" and sent[0]["key"] == json.loads(kept)["checksum"]

    run("--upload", f"https://127.0.0.1:{port}/to-host", "--token-env", "TEST_TOKEN", expect=0)
    assert log(port, "/to-host", cert)[-1]["authorization"] == "Bearer very-secret-token"
    assert log(port, "/ok", cert)[-1]["authorization"] is None, "the token followed the redirect to another host"

    refused = run("--upload", f"https://127.0.0.1:{port}/status/403", expect=5)
    assert "403" in refused.stderr and "p.json" in refused.stderr and json.loads((folder / "p.json").read_text())["format"] == "gpuplan-profile"

    (folder / "token").write_text("token-of-a-file\n")
    (folder / "url").write_text(f"https://127.0.0.1:{port}/ok?from=file\n")
    run("--send", "p.json", "--upload", "@url", "--token-file", "token", "--method", "post", expect=0)
    again = log(port, "/ok?from=file", cert)
    assert again[0]["authorization"] == "Bearer token-of-a-file" and again[0]["method"] == "POST" and again[0]["body"] == kept

    for address in ("http://127.0.0.1/x", "ftp://127.0.0.1/x", "https://user:pass@127.0.0.1/x", "nonsense", "", "https://"):
        (folder / "untouched.json").unlink(missing_ok=True)
        wrong = run("--upload", address or "@missing-file", "-o", "untouched.json", expect=2)
        assert len(wrong.stderr.splitlines()) == 1 and not (folder / "untouched.json").exists(), wrong.stderr
    run("--upload", f"https://127.0.0.1:{port}/ok", "--token-env", "NOT_SET_AT_ALL", expect=2)
    run("--upload", f"https://127.0.0.1:{port}/ok", "--token-env", "TEST_TOKEN", expect=2, environment=dict(env, TEST_TOKEN="two\r\nlines: x"))


def main(program, sim):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cert, key = certificate(folder, "good", "IP:127.0.0.1,DNS:localhost")
        other, other_key = certificate(folder, "other", "DNS:elsewhere.example")
        port, wrong_port = upload_server.serve(cert, key).server_port, upload_server.serve(other, other_key).server_port
        env = dict(os.environ, UPLOAD_PORT=str(port), UPLOAD_CA=cert, WRONG_NAME_PORT=str(wrong_port), WRONG_NAME_CA=other)
        for variable in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            env.pop(variable, None)
            os.environ.pop(variable, None)
        result = subprocess.run([program], env=env).returncode
        if result == 0:
            command_line(sim, port, cert, folder)
        return result


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
