package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server answers to clients that speak HTTP/2 but not gRPC, or not well. */
final class RawClientsTest {
  private static final String PATH = "/" + Texts.BIDI.fullMethodName();
  private static final int ENDLESS = 512; // resets that are borne at once
  private static final String BYTES_1024 = "x".repeat(1024);

  private int intercepted;
  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation = new Simulation();
  private final Server server =
      Simulation.start(
          simulation
              .with(Texts.BIDI, held)
              .serverBuilder()
              .maxConcurrentCallsPerConnection(2)
              .intercept(new Counting()));
  private final RawPeer client = simulation.rawClient(Limits.DEFAULT);

  private final class Counting implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      intercepted++;
      return next.startCall(call, headers);
    }
  }

  @Test
  void aGetIsAnsweredWithAPlainText() {
    Http2Stream get = get(client, EndStream.YES);
    simulation.run();
    RawPeer.Heard answer = client.heard(get);
    assertThat(answer.field(":status")).isEqualTo("405");
    assertThat(answer.field("allow")).isEqualTo("POST");
    assertThat(answer.field("content-type")).startsWith("text/plain");
    assertThat(answer.content).hasToString("gRPC calls are made with POST");
    assertThat(answer.ended).isTrue();
    assertThat(answer.resets).isEmpty();
    assertThat(client.openStreams()).isZero();
  }

  @Test
  void anotherContentTypeIsAnsweredWithAPlainText() {
    Http2Stream post =
        client.asks(
            EndStream.NO,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            PATH,
            "content-type",
            "text/html");
    client.sendsContent(post, "<p>", EndStream.YES);
    simulation.run();
    RawPeer.Heard answer = client.heard(post);
    assertThat(answer.field(":status")).isEqualTo("415");
    assertThat(answer.content).hasToString("the content-type is not application/grpc");
    assertThat(answer.ended).isTrue();
    assertThat(answer.resets).isEmpty();
  }

  @Test
  void aCallWhoseMetadataCannotBeReadIsAnsweredInGrpc() {
    Http2Stream post = client.asks(EndStream.YES, with(grpc(), "x-bin", "!!!"));
    simulation.run();
    RawPeer.Heard answer = client.heard(post);
    assertThat(answer.field(":status")).isEqualTo("200");
    assertThat(answer.field("content-type")).isEqualTo("application/grpc");
    assertThat(answer.field("grpc-status")).isEqualTo("13");
    assertThat(answer.field("grpc-message"))
        .isEqualTo("a binary header is not base64, or joins too many values");
    assertThat(answer.content).isEmpty();
    assertThat(answer.ended).isTrue();
  }

  @Test
  void streamErrorsOfAClientAreCounted() {
    client.asks(EndStream.YES, "no", "method");
    client.asks(EndStream.YES, "no", "method");
    simulation.run();
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.STREAM_VIOLATION, 2L));
    assertThat(client.openStreams()).isZero();
  }

  @Test
  void oversizedHeadersAreAnsweredWithAPlainText() {
    Http2Stream post = client.asks(EndStream.YES, large(grpc()));
    simulation.run();
    assertThat(client.heard(post).field(":status")).isEqualTo("431");
    assertThat(client.heard(post).content)
        .hasToString(
            "the request's headers exceed the server's maxInboundMetadataBytes, or its"
                + " maxHeaderFields; raise it in ServerBuilder (TransportLimits)");
  }

  /** Proxies let so much through, for whichever of their users. */
  @Test
  void sixtyKibibytesOfHeadersEndOnlyTheirStream() {
    Http2Stream post = client.asks(EndStream.YES, with(grpc(), "large", "v".repeat(60_000)));
    simulation.run();
    assertThat(client.heard(post).field(":status")).isEqualTo("431");
    assertThat(client.closed).isFalse();
  }

  @Test
  void aPlainTextLongerThanTheWindowWaitsForIt() {
    RawPeer slow = simulation.rawClient(Limits.DEFAULT.withWindows(WindowLimits.fixed(5, 65_535)));
    simulation.run();
    Http2Stream get = get(slow, EndStream.YES);
    simulation.run();
    assertThat(slow.heard(get).content).hasToString("gRPC ");
    for (int i = 0; i < 5; i++) {
      assertThat(slow.heard(get).ended).isFalse();
      slow.reads(get, 5);
      simulation.run();
    }
    assertThat(slow.heard(get).ended).isTrue();
    assertThat(slow.heard(get).content).hasToString("gRPC calls are made with POST");
    assertThat(slow.openStreams()).isZero();
  }

  @Test
  void aClientThatDoesNotReadItsRejectionsKeepsItsConnection() {
    RawPeer slow = simulation.rawClient(Limits.DEFAULT.withWindows(WindowLimits.fixed(5, 65_535)));
    simulation.run();
    for (int i = 0; i < ENDLESS; i++) {
      Http2Stream get = get(slow, EndStream.YES);
      simulation.run();
      slow.resets(get);
      simulation.run();
    }
    assertThat(slow.closed).isFalse();
    Http2Stream get = get(slow, EndStream.YES);
    simulation.run();
    assertThat(slow.heard(get).field(":status")).isEqualTo("405");
  }

  @Test
  void anOpenRequestOccupiesAStreamUntilItsClientEndsIt() {
    Http2Stream first = get(client, EndStream.NO);
    Http2Stream second = get(client, EndStream.NO);
    simulation.run();
    assertThat(client.heard(first).ended).isTrue();
    Http2Stream third = get(client, EndStream.YES);
    simulation.run();
    assertThat(client.heard(third).resets).containsExactly(ErrorCode.REFUSED_STREAM);
    client.sendsContent(first, "", EndStream.YES);
    client.sends(second, EndStream.YES, "trailer", "v");
    Http2Stream fourth = get(client, EndStream.YES);
    simulation.run();
    assertThat(client.heard(fourth).field(":status")).isEqualTo("405");
    assertThat(client.heard(first).resets).isEmpty();
  }

  @Test
  void aClientThatKeepsSendingIsAskedToStop() {
    Http2Stream get = get(client, EndStream.NO);
    for (int i = 0; i < 64; i++) {
      client.sendsContent(get, BYTES_1024, EndStream.NO);
    }
    simulation.run();
    assertThat(client.heard(get).resets).isEmpty();
    client.sendsContent(get, "x", EndStream.NO);
    simulation.run();
    assertThat(client.heard(get).resets).containsExactly(ErrorCode.NO_ERROR);
    assertThat(client.heard(get).ended).isTrue();
  }

  @Test
  void anAnsweredRequestThatIsMalformedIsReset() {
    Http2Stream get = get(client, EndStream.NO);
    simulation.run();
    client.sends(get, EndStream.NO, "not", "trailers");
    simulation.run();
    assertThat(client.heard(get).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
  }

  @Test
  void oversizedTrailersOfAnAnsweredRequestAreIgnored() {
    Http2Stream get = get(client, EndStream.NO);
    simulation.run();
    client.sends(get, EndStream.YES, large());
    simulation.run();
    assertThat(client.heard(get).resets).isEmpty();
    assertThat(client.openStreams()).isZero();
  }

  @Test
  void rejectedRequestsDoNotHoldAShutdownUp() {
    Http2Stream open = get(client, EndStream.NO);
    RawPeer slow = simulation.rawClient(Limits.DEFAULT.withWindows(WindowLimits.fixed(5, 65_535)));
    simulation.run();
    Http2Stream unread = get(slow, EndStream.NO);
    simulation.run();
    server.shutdown();
    simulation.run();
    assertThat(client.heard(open).resets).containsExactly(ErrorCode.NO_ERROR);
    assertThat(client.closed).isTrue();
    for (int i = 0; i < 5; i++) {
      assertThat(slow.closed).isFalse();
      slow.reads(unread, 5);
      simulation.run();
    }
    assertThat(slow.closed).isTrue();
    assertThat(slow.heard(unread).content).hasToString("gRPC calls are made with POST");
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aCallWhoseTrailersAreOversizedIsCancelled() {
    Http2Stream post = client.asks(EndStream.NO, grpc());
    simulation.run();
    client.sends(post, EndStream.YES, large());
    simulation.run();
    assertThat(client.heard(post).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aCallThatBreaksTheGrammarIsCancelled() {
    Http2Stream post = client.asks(EndStream.NO, grpc());
    simulation.run();
    client.sends(post, EndStream.NO, "not", "trailers");
    simulation.run();
    assertThat(client.heard(post).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aFormatThatTheMarshallerRefusesEndsOnlyItsCall() {
    Http2Stream other = client.asks(EndStream.NO, grpc());
    String type = "application/grpc+" + Texts.UNKNOWN_FORMAT;
    Http2Stream post =
        client.asks(
            EndStream.YES,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            PATH,
            "content-type",
            type);
    simulation.run();
    assertThat(client.heard(post).field("grpc-status")).isEqualTo("12");
    assertThat(client.closed).isFalse();
    held.only().ends();
    simulation.run();
    assertThat(client.heard(other).ended).isTrue();
  }

  @Test
  void moreThanOneHostIsABadRequest() {
    Http2Stream post = client.asks(EndStream.YES, with(grpc(), "host", "a", "host", "b"));
    simulation.run();
    assertThat(client.heard(post).field(":status")).isEqualTo("400");
    assertThat(client.heard(post).field("grpc-status")).isEqualTo("13");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "\u00e2\u0098\u0083", "user@host", "host:65536", "[::1", "a/b"})
  void anInvalidAuthorityIsMalformedAndReachesNoMethod(String authority) {
    Http2Stream post = client.asks(EndStream.NO, to(":authority", authority));
    simulation.run();
    assertThat(client.heard(post).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
    Http2Stream byHost = client.asks(EndStream.NO, with(grpc(), "host", authority));
    simulation.run();
    assertThat(client.heard(byHost).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
    assertThat(intercepted).isZero();
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.STREAM_VIOLATION, 2L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost", "tmp%2Fs%20ock", "a:1,b:2", "[::1]:50051", "::1"})
  void anAuthorityAsGrpcsClientsSendItReachesItsMethod(String authority) {
    client.asks(EndStream.NO, to(":authority", authority));
    simulation.run();
    assertThat(intercepted).isOne();
    assertThat(held.only().call().context().authority()).isEqualTo(authority);
  }

  @Test
  void aSchemeOfAnotherProtocolIsMalformed() {
    Http2Stream post = client.asks(EndStream.NO, to(":scheme", "ftp"));
    simulation.run();
    assertThat(client.heard(post).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
    assertThat(intercepted).isZero();
  }

  @ParameterizedTest
  @CsvSource({"grpc-timeout, 1S, 2S", "grpc-encoding, gzip, identity"})
  void fieldsThatContradictEachOtherAreABadRequest(String name, String first, String second) {
    Http2Stream post = client.asks(EndStream.YES, with(grpc(), name, first, name, second));
    simulation.run();
    assertThat(client.heard(post).field(":status")).isEqualTo("400");
    assertThat(client.heard(post).field("grpc-status")).isEqualTo("13");
    assertThat(client.heard(post).content)
        .hasToString("the request has more than one " + name + ", and they differ");
    assertThat(intercepted).isZero();
  }

  @Test
  void callsThatReachNoHandlerEarnNoResets() {
    for (int i = 0; i < 2 * ENDLESS && !client.closed; i++) {
      takesACallBackAndAsks("/unknown");
    }
    assertThat(client.closed).isTrue();
  }

  @Test
  void failedCallsEarnNoResets() {
    for (int i = 0; i < 2 * ENDLESS && !client.closed; i++) {
      takesACallBackAndAsks(PATH);
      if (!client.closed) {
        held.all().getLast().call().close(Status.UNAUTHENTICATED, new Metadata());
      }
      simulation.run();
    }
    assertThat(client.closed).isTrue();
  }

  @Test
  void servedCallsEarnResets() {
    for (int i = 0; i < 2 * ENDLESS; i++) {
      takesACallBackAndAsks(PATH);
      held.all().getLast().ends();
      simulation.run();
    }
    assertThat(client.closed).isFalse();
  }

  private void takesACallBackAndAsks(String path) {
    Http2Stream taken = client.asks(EndStream.NO, grpc());
    simulation.run();
    client.resets(taken);
    simulation.run();
    String[] fields = grpc();
    fields[5] = path;
    client.asks(EndStream.YES, fields);
    simulation.run();
  }

  @Test
  void onlyTheExactPathReachesAMethod() {
    long seed = 20_260_601;
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      String path = someForm(random);
      Http2Stream post =
          client.asks(
              EndStream.YES,
              ":method",
              "POST",
              ":scheme",
              "http",
              ":path",
              path,
              "content-type",
              "application/grpc");
      simulation.run();
      assertThat(client.heard(post).field("grpc-status"))
          .as("seed %d, path %s", seed, path)
          .isEqualTo(Integer.toString(Status.Code.UNIMPLEMENTED.value()));
      assertThat(intercepted).isZero();
    }
    Http2Stream post = client.asks(EndStream.NO, grpc());
    simulation.run();
    assertThat(intercepted).isOne();
    assertThat(held.all()).hasSize(1);
    client.resets(post);
  }

  /** A path that some servers would take for the method's, but never its own. */
  private static String someForm(Random random) {
    while (true) {
      StringBuilder path = new StringBuilder(PATH);
      int changes = 1 + random.nextInt(2);
      for (int i = 0; i < changes; i++) {
        change(path, random);
      }
      if (!path.toString().equals(PATH) && !path.isEmpty()) {
        return path.toString();
      }
    }
  }

  private static void change(StringBuilder path, Random random) {
    int at = random.nextInt(path.length());
    char c = path.charAt(at);
    List<String> pieces =
        List.of("/", "//", "/.", "/..", "?", "?a=b", "#", ";", "%00", "%2f", "\\", ".", "*", "a");
    switch (random.nextInt(6)) {
      case 0 -> path.deleteCharAt(at);
      case 1 -> path.insert(at, pieces.get(random.nextInt(pieces.size())));
      case 2 -> path.append(pieces.get(random.nextInt(pieces.size())));
      case 3 -> path.replace(at, at + 1, "%%%02x".formatted((int) c));
      case 4 -> path.setCharAt(at, Character.isLetter(c) ? (char) (c ^ 0x20) : '!');
      default -> path.insert(0, random.nextBoolean() ? "http://host" : "/");
    }
    if (path.isEmpty()) {
      path.append('/');
    }
  }

  private static Http2Stream get(RawPeer client, EndStream end) {
    return client.asks(end, ":method", "GET", ":scheme", "http", ":path", "/");
  }

  private static String[] grpc() {
    return new String[] {
      ":method", "POST", ":scheme", "http", ":path", PATH, "content-type", "application/grpc"
    };
  }

  /** A request with that pseudo-field, in place of its own where it has one. */
  private static String[] to(String pseudoField, String value) {
    List<String> fields = new ArrayList<>(List.of(grpc()));
    int own = fields.indexOf(pseudoField);
    if (own >= 0) {
      fields.set(own + 1, value);
    } else {
      fields.addAll(0, List.of(pseudoField, value));
    }
    return fields.toArray(String[]::new);
  }

  private static String[] large(String... behind) {
    return with(behind, "large", "v".repeat(9_000));
  }

  private static String[] with(String[] first, String... second) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(second));
    return all.toArray(String[]::new);
  }
}
