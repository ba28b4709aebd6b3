"""Uses the services of ./gannet serve as their users do: by grpcurl, by ghz and by grpcio's own clients. Each check prints a
line; the exit code is 1 if one fails. ./gannet tools starts it.
"""

import json
import queue
import re
import signal
import subprocess
import sys
import threading
import traceback

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

START_SECONDS = 60
TOOL_SECONDS = 60
CALL_SECONDS = 20
END_SECONDS = 30
LOAD_CALLS = 2_000
SERVICES = {
    "gannet.demo.Greeter",
    "grpc.channelz.v1.Channelz",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
}
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

gannet, grpcurl_program, ghz_program = sys.argv[1:4]
checks = []


def check(function):
    checks.append(function)
    return function


def must(what, found, wanted):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, and not {wanted!r}")


def start_server():
    """The process, and its address."""
    server = subprocess.Popen([gannet, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    timer = threading.Timer(START_SECONDS, server.kill)
    timer.start()
    line = server.stdout.readline()
    timer.cancel()
    address = re.search(r"127\.0\.0\.1:\d+", line)
    if not address:
        server.kill()
        sys.exit(f"tools: ./gannet serve did not say where it serves: {line!r}")
    return server, address.group()


def grpcurl(*arguments, flags=(), exit_code=0):
    done = subprocess.run(
        [grpcurl_program, "-plaintext", *flags, address, *arguments],
        capture_output=True, text=True, timeout=TOOL_SECONDS)
    if done.returncode != exit_code:
        raise AssertionError(f"grpcurl {arguments} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def replies(output):
    """The messages of the JSON objects that grpcurl prints, one after the other."""
    decoder = json.JSONDecoder()
    found = []
    text = output.strip()
    while text:
        reply, end = decoder.raw_decode(text)
        found.append(reply)
        text = text[end:].strip()
    return found


@check
def grpcurl_lists_the_services():
    must("services", set(grpcurl("list").split()), SERVICES)


@check
def grpcurl_lists_methods():
    wanted = {f"gannet.demo.Greeter.{name}" for name in ("Converse", "GreetAll", "RepeatHello", "SayHello")}
    must("methods", set(grpcurl("list", "gannet.demo.Greeter").split()), wanted)


@check
def grpcurl_describes_every_service():
    for service in SERVICES:
        if f"{service} is a service:" not in grpcurl("describe", service):
            raise AssertionError(f"{service} is not described")


@check
def grpcurl_describes_a_message():
    if "string name = 1;" not in grpcurl("describe", "gannet.demo.HelloRequest"):
        raise AssertionError("HelloRequest has no name")


@check
def grpcurl_calls_all_four_kinds():
    ada, bo = '{"name": "Ada"}', '{"name": "Bo"}'
    must("unary", replies(grpcurl("gannet.demo.Greeter/SayHello", flags=("-d", ada))), [{"message": "Hello Ada"}])
    repeated = replies(grpcurl("gannet.demo.Greeter/RepeatHello", flags=("-d", '{"name": "Ada", "times": 3}')))
    must("server streaming", [it["message"] for it in repeated], [f"Hello Ada ({i})" for i in (1, 2, 3)])
    all_of = replies(grpcurl("gannet.demo.Greeter/GreetAll", flags=("-d", ada + bo)))
    must("client streaming", len(all_of), 1)
    conversation = replies(grpcurl("gannet.demo.Greeter/Converse", flags=("-d", ada + bo)))
    must("bidi streaming", [it["message"] for it in conversation], ["Hello Ada", "Hello Bo"])


@check
def grpcurl_sees_a_status():
    said = grpcurl("gannet.demo.Greeter/RepeatHello", flags=("-d", '{"times": -1}'), exit_code=64 + 3)
    if "Code: InvalidArgument" not in said:
        raise AssertionError(said)


@check
def grpcurl_checks_health():
    said = replies(grpcurl("grpc.health.v1.Health/Check"))
    must("health", said, [{"status": "SERVING"}])


@check
def grpcurl_asks_channelz():
    servers = replies(grpcurl("grpc.channelz.v1.Channelz/GetServers"))[0]["server"]
    must("servers", len(servers), 1)
    if int(servers[0]["data"]["callsStarted"]) < 5:
        raise AssertionError(servers)


@check
def ghz_counts_no_failure():
    done = subprocess.run(
        [ghz_program, "--insecure", "--call", "gannet.demo.Greeter.SayHello", "-d", '{"name": "Ada"}',
         "-n", str(LOAD_CALLS), "-c", "20", "--connections", "4", "--format", "json", address],
        capture_output=True, text=True, timeout=TOOL_SECONDS)
    must("the exit code of ghz", done.returncode, 0)
    must("calls by status", json.loads(done.stdout)["statusCodeDistribution"], {"OK": LOAD_CALLS})


@check
def grpcio_reflection_gives_types_to_call_with():
    with grpc.insecure_channel(address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        must("services", set(database.get_services()), SERVICES)
        method = DescriptorPool(database).FindServiceByName("gannet.demo.Greeter").FindMethodByName("SayHello")
        request = message_factory.GetMessageClass(method.input_type)
        reply = message_factory.GetMessageClass(method.output_type)
        call = channel.unary_unary(
            "/gannet.demo.Greeter/SayHello",
            request_serializer=request.SerializeToString, response_deserializer=reply.FromString)
        must("reply", call(request(name="Ada"), timeout=CALL_SECONDS).message, "Hello Ada")


@check
def grpcio_health_checks_the_server():
    with grpc.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        whole = health.Check(health_pb2.HealthCheckRequest(), timeout=CALL_SECONDS)
        must("the server", whole.status, SERVING)
        try:
            health.Check(health_pb2.HealthCheckRequest(service="nobody"), timeout=CALL_SECONDS)
            raise AssertionError("a service that nobody knows has a health")
        except grpc.RpcError as e:
            must("an unknown service", e.code(), grpc.StatusCode.NOT_FOUND)


@check
def grpcio_channelz_walks_from_servers_to_sockets():
    with grpc.insecure_channel(address) as channel:
        health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=CALL_SECONDS)
        channelz = channelz_pb2_grpc.ChannelzStub(channel)
        servers = channelz.GetServers(channelz_pb2.GetServersRequest(), timeout=CALL_SECONDS)
        must("all servers are there", (len(servers.server), servers.end), (1, True))
        server = servers.server[0]
        if server.data.calls_succeeded < LOAD_CALLS:
            raise AssertionError(f"calls succeeded: {server.data.calls_succeeded}")
        same = channelz.GetServer(
            channelz_pb2.GetServerRequest(server_id=server.ref.server_id), timeout=CALL_SECONDS)
        must("the same server", same.server.ref, server.ref)
        must("listening sockets", len(server.listen_socket), 1)
        sockets = channelz.GetServerSockets(
            channelz_pb2.GetServerSocketsRequest(server_id=server.ref.server_id), timeout=CALL_SECONDS)
        must("all sockets are there", sockets.end, True)
        seen = [
            channelz.GetSocket(channelz_pb2.GetSocketRequest(socket_id=it.socket_id), timeout=CALL_SECONDS).socket
            for it in sockets.socket_ref]
        own = [it for it in seen if it.data.streams_started >= 4]
        must("sockets with this client's calls", len(own), 1)
        counted = own[0].data
        if not (counted.streams_succeeded >= 4 and counted.messages_sent >= 4 and counted.messages_received >= 4):
            raise AssertionError(f"counters stand still: {counted}")
        if not own[0].remote.tcpip_address.port or not own[0].local.tcpip_address.port:
            raise AssertionError(f"no addresses: {own[0]}")
        try:
            channelz.GetSocket(channelz_pb2.GetSocketRequest(socket_id=1 << 40), timeout=CALL_SECONDS)
            raise AssertionError("a socket that is not there is found")
        except grpc.RpcError as e:
            must("an unknown socket", e.code(), grpc.StatusCode.NOT_FOUND)


@check
def grpcio_health_watch_hears_of_the_end():
    """The last check: it ends the server."""
    with grpc.insecure_channel(address) as channel:
        heard = queue.Queue()
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())

        def listen():
            try:
                for response in watch:
                    heard.put(response.status)
            except grpc.RpcError as e:
                heard.put(e.code())

        threading.Thread(target=listen, daemon=True).start()
        must("at first", heard.get(timeout=CALL_SECONDS), SERVING)
        server.send_signal(signal.SIGTERM)
        must("after SIGTERM", heard.get(timeout=CALL_SECONDS), NOT_SERVING)
        server.wait(timeout=END_SECONDS)


def run_all():
    failed = 0
    for one in checks:
        name = one.__name__.replace("_", " ")
        try:
            one()
            print(f"  passed  {name}", flush=True)
        except Exception:
            failed += 1
            print(f"  FAILED  {name}\n{traceback.format_exc()}", flush=True)
    print(f"{len(checks) - failed} of {len(checks)} passed")
    return 1 if failed else 0


server, address = start_server()
try:
    result = run_all()
finally:
    server.kill()
    server.wait()
sys.exit(result)
