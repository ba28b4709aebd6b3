package dev.gannet.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.server.ConnectionSnapshot;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whole channels whose targets a DNS server resolves, with real servers behind them. */
@Timeout(60)
class DnsChannelTest {
  private static final String NAME = "greeter.test";
  private static final MethodDescriptor<String, String> GREET =
      MethodDescriptor.of(
          MethodType.UNARY, "test.Greeter/Greet", Marshallers.utf8(), Marshallers.utf8());

  private final Server server;
  private final ScriptedDns dns;

  DnsChannelTest() throws IOException {
    server = started(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    dns = ScriptedDns.start();
  }

  private static Server started(InetSocketAddress at) throws IOException {
    return Server.builder(at)
        .countCalls()
        .add(
            ServerServiceDefinition.of(
                "test.Greeter", List.of(ServerMethodDefinition.of(GREET, DnsChannelTest::answer))))
        .start();
  }

  @AfterEach
  void end() throws IOException {
    server.close();
    dns.close();
  }

  private static ServerCall.Listener<String> answer(
      ServerCall<String, String> call, Metadata headers) {
    call.request(2);
    return new Greeting(call);
  }

  /** Says hello to whom it is told. */
  private record Greeting(ServerCall<String, String> call) implements ServerCall.Listener<String> {
    @Override
    public void onMessage(String name) {
      if (name.equals("nobody")) {
        return; // it never answers
      }
      call.sendMessage("Hello " + name);
      call.close(Status.OK, new Metadata());
    }
  }

  private ManagedChannelBuilder channel() {
    int port = ((InetSocketAddress) server.address()).getPort();
    return ManagedChannel.builder("dns://127.0.0.1:" + dns.port() + "/" + NAME + ":" + port)
        .plaintext();
  }

  private static String greet(ManagedChannel channel, String name) {
    return BlockingCalls.unary(channel, GREET, CallOptions.DEFAULT, name);
  }

  @Test
  void aCallReachesTheServerFoundByTheDnsServerOfTheTarget() {
    dns.name(NAME, 60, "127.0.0.1");
    try (ManagedChannel channel = channel().build()) {
      assertThat(greet(channel, "world")).isEqualTo("Hello world");
    }
    assertThat(dns.askedFor(NAME, Dns.A)).isEqualTo(1);
    TestLookUps.awaitUsers(0);
  }

  @Test
  void aCallThatCannotBeResolvedNamesServerAndCause() {
    try (ManagedChannel channel = channel().build()) {
      assertThatThrownBy(() -> greet(channel, "world"))
          .isInstanceOfSatisfying(
              StatusException.class,
              thrown ->
                  assertThat(thrown.status().description().orElse(""))
                      .contains("DNS server 127.0.0.1:" + dns.port())
                      .contains("does not know the name greeter.test (NXDOMAIN)"));
    }
  }

  @Test
  void theFirstCallHasTheConfigOfTheTxtRecord() {
    String record = "_grpc_config." + NAME;
    dns.name(NAME, 60, "127.0.0.1");
    dns.answer(
        record,
        Dns.TXT,
        Dns.Answer.of(
            Dns.txt(
                record,
                60,
                "grpc_config=[{\"clientLanguage\":[\"java\"],\"serviceConfig\":{\"methodConfig\":"
                    + "[{\"name\":[{}],\"timeout\":\"0.2s\"}]}}]")));
    try (ManagedChannel channel =
        channel().addNameResolver(new DnsNameResolverProvider().withServiceConfig()).build()) {
      assertThatThrownBy(() -> greet(channel, "nobody"))
          .isInstanceOfSatisfying(
              StatusException.class,
              thrown ->
                  assertThat(thrown.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    }
  }

  @Test
  void newServersAreFoundWhenTheTtlExpires() {
    dns.name(NAME, 0, "127.0.0.9");
    DnsNameResolverProvider quick =
        new DnsNameResolverProvider()
            .withTtlRefresh()
            .withMinTimeBetweenLookUps(Duration.ofMillis(20));
    try (ManagedChannel channel = channel().addNameResolver(quick).build()) {
      assertThatThrownBy(() -> greet(channel, "world")).isInstanceOf(StatusException.class);
      dns.name(NAME, 0, "127.0.0.1");
      assertThat(
              BlockingCalls.unary(
                  channel, GREET, CallOptions.DEFAULT.withWaitForReady(true), "world"))
          .isEqualTo("Hello world");
    }
  }

  @Test
  void moreServersAreFoundWhileTheFirstConnectionGoesOn() throws IOException {
    dns.name(NAME, 0, "127.0.0.1");
    DnsNameResolverProvider quick =
        new DnsNameResolverProvider()
            .withTtlRefresh()
            .withMinTimeBetweenLookUps(Duration.ofMillis(20));
    int port = ((InetSocketAddress) server.address()).getPort();
    try (Server added = startedBeside(port);
        ManagedChannel channel = channel().addNameResolver(quick).roundRobin().build()) {
      assertThat(greet(channel, "world")).isEqualTo("Hello world");
      List<Long> first = connectionsOf(server);
      dns.name(NAME, 0, "127.0.0.1", "127.0.0.2");
      while (callsOf(added) == 0) { // no call fails, and no connection ends: only the TTL does
        assertThat(greet(channel, "world")).isEqualTo("Hello world");
      }
      long before = callsOf(server);
      greet(channel, "world");
      greet(channel, "world");
      assertThat(callsOf(server)).isEqualTo(before + 1);
      assertThat(connectionsOf(server)).hasSize(1).isEqualTo(first);
    }
  }

  /** At another address of this machine, with the same port; the test is skipped without. */
  private static Server startedBeside(int port) throws IOException {
    try {
      return started(new InetSocketAddress("127.0.0.2", port));
    } catch (BindException e) {
      return Assumptions.abort("127.0.0.2:" + port + " cannot be used: " + e);
    }
  }

  private static long callsOf(Server server) {
    return server.snapshot().calls().started();
  }

  private static List<Long> connectionsOf(Server server) {
    return server.snapshot().connections().stream().map(ConnectionSnapshot::id).toList();
  }

  @Test
  void aChannelCanUseTheLookUpOfTheJdkInstead() {
    int port = ((InetSocketAddress) server.address()).getPort();
    try (ManagedChannel channel =
        ManagedChannel.builder("localhost:" + port)
            .plaintext()
            .addNameResolver(NameResolverProvider.dns())
            .build()) {
      assertThat(greet(channel, "world")).isEqualTo("Hello world");
      TestLookUps.awaitUsers(0);
    }
    try (ManagedChannel channel = ManagedChannel.builder("localhost:" + port).plaintext().build()) {
      assertThat(greet(channel, "world")).isEqualTo("Hello world");
      TestLookUps.awaitUsers(1);
    }
    TestLookUps.awaitUsers(0);
  }
}
