#!/usr/bin/env python3
"""Watches runs of sim-run --serve.

    watch.py whole DIR COMMAND...   up to the end, with pauses and steps between
    watch.py refused DIR COMMAND... all that has to be refused; then stops the run
    watch.py held DIR COMMAND...    pauses the run, prints its address, and stops it when
                                    the standard input ends
    watch.py untimed DIR COMMAND... the clock goes on where nothing is timed, without an end;
                                    then stops the run

COMMAND writes to DIR, with intervals of 2000 cycles, on a chip whose E divides 2000.
"""
import atexit
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time


def fail(text):
    sys.exit(f"FAIL: {text}")


def check(good, text):
    if not good:
        fail(text)


class Run:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True,
                                        stdout=subprocess.DEVNULL)
        atexit.register(self.process.kill)  # if a check fails
        line = self.process.stderr.readline()
        match = re.fullmatch(r"sim-run: serving (http://(127\.0\.0\.1):(\d+)/"
                             r"#token=([0-9a-f]{32}))\n", line)
        check(match, f"no address: {line}")
        self.url, self.address, self.port, self.token = match[1], match[2], int(match[3]), match[4]
        self.origin = f"http://{self.address}:{self.port}"

    def ask(self, method, path, body=None, headers=None):
        """(status, text); an empty status: the server has gone."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=20)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (ConnectionError, http.client.HTTPException):
            return None, ""
        finally:
            connection.close()

    def get(self, path):
        status, text = self.ask("GET", path)
        return json.loads(text) if status == 200 else None

    def order(self, path, body="", **headers):
        headers = {"X-Corbel-Token": self.token, "Origin": self.origin, **headers}
        return self.ask("POST", path, body, headers)

    def load_page(self):
        """The page's data."""
        while True:
            status, page = self.ask("GET", "/")
            if status == 200:
                break
            check(status == 503, f"/: {status}")
            time.sleep(0.1)
        data = json.loads(re.search(r'id="data">\n(.*?)</script>', page, re.S)[1])
        for path in ("/", "/run.json", "/stats.json", "/progress.json"):
            check(self.token not in self.ask("GET", path)[1], f"GET {path} tells the token")
        return data

    def wait_to_stand(self):
        for _ in range(300):
            now = self.get("/progress.json")
            if now["standing"]:
                return now["cycle"]
            time.sleep(0.05)
        return fail("it does not stand")

    def end(self, status):
        rest = self.process.stderr.read()
        got = self.process.wait()
        check(got == status, f"status {got}, expected {status}: {rest}")
        return rest


def pause(run):
    check(run.order("/pause")[0] == 200, "/pause")
    return run.wait_to_stand()


def steps(run):
    """Pauses; returns nothing: the run stands."""
    cycle = pause(run)
    time.sleep(0.5)
    check(run.get("/progress.json")["cycle"] == cycle, "a pause does not hold the cycle")
    stats = run.get("/stats.json")
    check(stats["cycles"] == cycle, f"statistics of cycle {stats['cycles']}, it is {cycle}")
    for name, group in stats["groups"].items():
        booked = sum(group["buckets"].values())
        check(booked in (0, cycle * group["accounts"]), f"buckets of {name}: {booked}")
    for step in (1, 160, 1600):
        check(run.order("/step", str(step))[0] == 200, "/step")
        now = run.wait_to_stand()
        check(cycle + step <= now < cycle + step + 16, f"{step} from {cycle} on: {now}")
        cycle = now
    for _ in range(2):
        check(run.order("/step", "interval")[0] == 200, "/step interval")
        now = run.wait_to_stand()
        check(now == (cycle // 2000 + 1) * 2000, f"an interval from {cycle} on: {now}")
        cycle = now


def whole(folder, command):
    run = Run(command)
    data = run.load_page()
    check(len(data["runs"]) == 1 and data["changes"] == [], "the page's data")
    for _ in range(2):
        steps(run)
        check(run.order("/resume")[0] == 200, "/resume")
    served = run.get("/run.json")
    made = served["manifest"]
    check(made["chip"]["path"].endswith("rtx2080.lua") and made["settings"] == ["chip.tms=2"] and
          made["program"]["path"].endswith("/path"), f"what is run: {made}")
    last, cycles, within = None, set(), 0
    while True:
        now = run.get("/progress.json")
        if now and now["ended"]:  # both files of the last state are served
            check(run.get("/run.json")["manifest"], "the end is not told")
            time.sleep(0.5)
        stats = run.get("/stats.json") if now else None
        if not stats:
            break
        last = stats
        region = stats.get("region_of_interest")
        if region:
            fresh = run.get("/run.json")
            check(not fresh or fresh["manifest"]["scenes"], "the scene is not told")
            within += region["regions"][-1]["end"] == stats["cycles"]
            for name, group in region["groups"].items():
                booked = sum(group["buckets"].values())
                check(booked in (0, region["cycles"] * group["accounts"]),
                      f"buckets of {name} in the region: {booked}")
        cycles.add(now["cycle"])
        check(now["share"] is None or 0 <= now["share"] <= 1, now)
        if now["ended"]:
            check(not now["standing"], now)
            break
        time.sleep(0.05)
    check(within > 0, "no region is shown while it is open")
    check(len(cycles) > 3, f"progress was seen {len(cycles)} times only")
    run.end(0)
    with open(f"{folder}/stats.json") as file:
        check(json.load(file) == last, "stats.json is not what was served last")


def crowded(run):
    """Others hang on, with half a request or without reading their answer, and go on so."""
    halves = (b"GET / HTTP/1.1\r\nHost: ", b"GET /run.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
    crowd = []
    for half in halves:
        for _ in range(100):
            crowd.append(socket.create_connection((run.address, run.port), timeout=20))
            crowd[-1].sendall(half)
        begin = time.monotonic()
        check(run.get("/progress.json"), f"others keep the reader out: {half[:20]}")
        took = time.monotonic() - begin
        check(took < 3, f"an answer took {took:.1f} s beside others")
    for one in crowd:
        one.close()


def refused(folder, command):
    run = Run(command)
    run.load_page()
    with open(f"{folder}/serve.url") as file:
        check(file.read() == f"{run.url}\n", "serve.url")
        check(os.fstat(file.fileno()).st_mode & 0o777 == 0o600, "others may read serve.url")
    crowded(run)
    here = f"{run.address}:{run.port}"
    wrong = "0" * 32
    rows = [
        # what, status, method, path, body, headers
        ("foreign host", 403, "GET", "/", None, {"Host": "evil.example"}),
        ("foreign host with a port", 403, "GET", "/stats.json", None,
         {"Host": f"evil.example:{run.port}"}),
        ("host like a number", 403, "GET", "/", None, {"Host": "127.0.0.1.evil.example"}),
        ("foreign origin", 403, "GET", "/", None, {"Origin": "http://evil.example"}),
        ("no origin at all", 403, "POST", "/stop", "",
         {"Origin": "null", "X-Corbel-Token": run.token}),
        ("foreign origin with the token", 403, "POST", "/stop", "",
         {"Origin": f"http://{run.address}:1", "X-Corbel-Token": run.token}),
        ("no token", 403, "POST", "/stop", "", {"Origin": run.origin}),
        ("wrong token", 403, "POST", "/stop", "", {"X-Corbel-Token": wrong}),
        ("short token", 403, "POST", "/stop", "", {"X-Corbel-Token": run.token[:-1]}),
        ("order by GET", 404, "GET", "/stop", None, {"X-Corbel-Token": run.token}),
        ("preflight", 405, "OPTIONS", "/stop", None, {"Origin": run.origin}),
        ("other method", 405, "PUT", "/stop", "", {"X-Corbel-Token": run.token}),
        ("other file", 404, "GET", "/../stats.json", None, {}),
        ("other order", 404, "POST", "/x", "", {"X-Corbel-Token": run.token}),
        ("step while it runs", 409, "POST", "/step", "5", {"X-Corbel-Token": run.token}),
        ("step of nothing", 400, "POST", "/step", "", {"X-Corbel-Token": run.token}),
        ("step of 0", 400, "POST", "/step", "0", {"X-Corbel-Token": run.token}),
        ("step back", 400, "POST", "/step", "-5", {"X-Corbel-Token": run.token}),
        ("step of words", 400, "POST", "/step", "5x", {"X-Corbel-Token": run.token}),
        ("step too far", 400, "POST", "/step", "9" * 25, {"X-Corbel-Token": run.token}),
        ("long body", 413, "POST", "/step", "9" * 100000, {"X-Corbel-Token": run.token}),
    ]
    for what, status, method, path, body, headers in rows:
        got, text = run.ask(method, path, body, {"Host": here, **headers})
        check(got == status, f"{what}: {got}, expected {status}: {text}")
    got, _ = run.ask("GET", "/", None, {"X-Long": "x" * 100000})
    check(got in (None, 413, 431), f"a long head: {got}")
    check(run.ask("GET", "/progress.json", None, {"Host": f"localhost:{run.port}"})[0] == 200,
          "localhost")
    check(not run.get("/progress.json")["ended"], "it has ended")
    check(run.order("/stop")[0] == 200, "/stop")
    check("stopped by SIGINT at cycle" in run.end(130), "how it ended")
    with open(f"{folder}/manifest.json") as file:
        check(json.load(file)["ending"] == "signal", "the manifest")
    check(not os.path.exists(f"{folder}/serve.url"), "serve.url is left")


def held(folder, command):
    run = Run(command)
    run.load_page()
    while run.get("/progress.json")["cycle"] < 20000:
        time.sleep(0.1)
    pause(run)
    print(run.url, flush=True)
    sys.stdin.read()
    check(run.order("/stop")[0] == 200, "/stop while it stands")
    run.end(130)


def untimed(folder, command):
    run = Run(command)
    run.load_page()
    cycles = [0]
    for _ in range(100):
        if len(cycles) == 4:
            break
        time.sleep(0.1)
        now = run.get("/progress.json")
        check(not now["standing"], now)
        if now["cycle"] > cycles[-1] + 1000000:
            cycles.append(now["cycle"])
    check(len(cycles) == 4, f"the clock stands: {cycles}")
    check(run.order("/stop")[0] == 200, "/stop")
    run.end(130)


{"whole": whole, "refused": refused, "held": held, "untimed": untimed}[sys.argv[1]](sys.argv[2], sys.argv[3:])
