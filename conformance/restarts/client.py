"""A client of Python's grpcio for ./gannet restarts: unary calls with an id each, and streams that last until their
server says that it leaves. Runs until its standard input ends. RestartsClient says what it prints.

Messages are written and read by hand, so that nothing but grpcio is needed.
"""

import json
import queue
import sys
import threading
import time

import grpc

UNARY_CALLERS = 2
STREAMS = 1
PAUSE_SECONDS = 0.02
DEADLINE_SECONDS = 20

targets, name = sys.argv[1:3]
over = threading.Event()
lock = threading.Lock()
counts = {"ids": 0, "calls": 0, "streams": 0}


def add(what):
    with lock:
        counts[what] += 1
        return counts[what]


def say(*words):
    with lock:
        print(" ".join(" ".join(map(str, words)).split()), flush=True)


def field(number, body):
    """A length-delimited field of fewer than 128 bytes."""
    return bytes([number << 3 | 2, len(body)]) + body


def request(text):
    """SimpleRequest or StreamingOutputCallRequest: payload = 3; Payload: body = 2."""
    return field(3, field(2, text.encode()))


def text_of(response):
    """SimpleResponse or StreamingOutputCallResponse: payload = 1, and nothing else is set."""
    return response[4:].decode()


def call_once(unary):
    call_id = f"{name}:{add('ids')}"
    try:
        if text_of(unary(request(call_id), timeout=DEADLINE_SECONDS)) == call_id:
            add("calls")
        else:
            say("failed", call_id, "a wrong answer")
    except grpc.RpcError as e:
        say("failed", call_id, e.code(), e.details())


def stream_once(duplex):
    requests = queue.SimpleQueue()
    responses = duplex(iter(requests.get, None))
    try:
        told = False
        while not told and not over.is_set():
            requests.put(request("ping"))
            told = text_of(next(responses)) == "leave"
            time.sleep(PAUSE_SECONDS)
        requests.put(None)
        if next(responses, None) is None:
            add("streams")
        else:
            say("broken a message after the end")
    except (grpc.RpcError, StopIteration) as e:
        requests.put(None)
        say("broken", e.code() if isinstance(e, grpc.RpcError) else "ended early")


def repeat(step, method):
    while not over.is_set():
        step(method)
        time.sleep(PAUSE_SECONDS)


config = json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})
with grpc.insecure_channel("ipv4:" + targets, options=[("grpc.service_config", config)]) as channel:
    one = channel.unary_unary("/grpc.testing.TestService/UnaryCall")
    both = channel.stream_stream("/grpc.testing.TestService/FullDuplexCall")
    threads = [threading.Thread(target=repeat, args=(call_once, one)) for _ in range(UNARY_CALLERS)]
    threads += [threading.Thread(target=repeat, args=(stream_once, both)) for _ in range(STREAMS)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    over.set()
    for thread in threads:
        thread.join()
say("done", counts["calls"], counts["streams"])
