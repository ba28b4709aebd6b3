package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.ServerBuilder;
import dev.gannet.suites.TracedRequests.Request;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server's tracers see what only HTTP/2 has: requests that become no call, limits of sizes, lost
 * connections.
 */
final class Http2ServerTracersTest {
  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private final TracedRequests traced = new TracedRequests();

  private ServerBuilder builder() {
    return simulation.with(Texts.BIDI, held).serverBuilder().addTracer(traced);
  }

  private ManagedChannel serving() {
    Simulation.start(builder());
    return simulation.channel();
  }

  private Request after(MadeCall call) {
    simulation.run();
    assertThat(call.isClosed()).isTrue();
    return traced.only();
  }

  private static String[] request(String... more) {
    String[] plain = {
      ":method", "POST",
      ":scheme", "http",
      ":path", "/" + Texts.BIDI.fullMethodName(),
      ":authority", "here",
      "te", "trailers",
      "content-type", "application/grpc"
    };
    String[] all = Arrays.copyOf(plain, plain.length + more.length);
    System.arraycopy(more, 0, all, plain.length, more.length);
    return all;
  }

  private static String[] replaced(String name, String value) {
    String[] fields = request();
    for (int i = 0; i < fields.length; i += 2) {
      if (fields[i].equals(name)) {
        fields[i + 1] = value;
      }
    }
    return fields;
  }

  /** The request that a client without manners has made. */
  private Request asked(String... fields) {
    Simulation.start(builder());
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    Http2Stream stream = client.asks(EndStream.YES, fields);
    simulation.run();
    String told = client.heard(stream).field("grpc-status");
    assertThat(told).isIn("", Integer.toString(traced.only().end().code().value()));
    return traced.only();
  }

  @Test
  void messagesHaveNumbersAndBothSizes() {
    CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
    MadeCall call = MadeCall.start(serving(), Texts.BIDI, gzip).wants(9);
    call.says(Texts.ofLength(40_000), "two").halfCloses();
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers(Texts.ofLength(30_000));
    held.only().call().setMessageCompression(false);
    held.only().answers("plain");
    held.only().ends();
    assertThat(after(call).seen.getFirst()).matches("received 0: \\d{2,3} of 40000");
    assertThat(traced.only().seen.get(1)).matches("received 1: \\d{2} of 3");
    assertThat(traced.only().seen.get(2)).isEqualTo("headers sent");
    assertThat(traced.only().seen.get(3)).matches("sent 0: \\d{2,3} of 30000");
    assertThat(traced.only().seen.get(4)).isEqualTo("sent 1: 5 of 5");
    assertThat(traced.only().end()).isEqualTo(Status.OK);
  }

  @ParameterizedTest
  @CsvSource({
    ":method, GET",
    "content-type, text/html",
    "content-type, application/grpc+unheard-of"
  })
  void aRequestThatIsNotAGrpcCallIsSeen(String name, String value) {
    Request seen = asked(replaced(name, value));
    assertThat(seen.start.path()).isEqualTo("/test.Texts/Bidi");
    assertThat(seen.start.authority()).isEqualTo("here");
    assertThat(seen.ends).hasSize(1);
    assertThat(seen.end().isOk()).isFalse();
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "grpc-encoding, zip, UNIMPLEMENTED",
    "grpc-timeout, 0n, DEADLINE_EXCEEDED",
    "note-bin, !!!, INTERNAL",
    "grpc-timeout, soon, INTERNAL"
  })
  void aCallWithBadFieldsIsSeen(String name, String value, Status.Code code) {
    Request seen = asked(request(name, value));
    assertThat(seen.start.path()).isEqualTo("/test.Texts/Bidi");
    assertThat(seen.end().code()).isEqualTo(code);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aRequestWithOversizedHeadersIsSeenWithoutItsHeaders() {
    Request seen = asked(request("large", "v".repeat(60_000)));
    assertThat(seen.start.path()).isEmpty();
    assertThat(seen.end().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void aCallAboveTheLimitIsSeen() {
    Simulation.start(builder().maxConcurrentCallsPerConnection(1));
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    client.asks(EndStream.NO, request());
    client.asks(EndStream.NO, request()); // before the server has said how many it takes
    simulation.run();
    assertThat(traced.all()).hasSize(2);
    Request refused = traced.all().getLast();
    assertThat(refused.start.path()).isEqualTo("/test.Texts/Bidi");
    assertThat(refused.end().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.ends).hasSize(1);
  }

  @Test
  void aMalformedRequestIsSeen() {
    Request seen = asked("no", "method");
    assertThat(seen.start.path()).isEmpty();
    assertThat(seen.end()).asString().startsWith("CANCELLED: the client violated HTTP/2: ");
  }

  @Test
  void aCallWhoseClientBreaksHttp2EndsOnce() {
    Simulation.start(builder());
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    Http2Stream stream = client.asks(EndStream.NO, request());
    simulation.run();
    client.sends(stream, EndStream.NO, "second", "list"); // trailers have to end the stream
    simulation.run();
    assertThat(traced.only().end())
        .asString()
        .startsWith("CANCELLED: the client violated HTTP/2: ");
  }

  @Test
  void aMessageOverTheLimitIsSeenByItsStatus() {
    Simulation.start(builder().maxInboundMessageBytes(100));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.BIDI, Texts.ofLength(101));
    Request seen = after(call);
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(seen.end()).hasToString(call.status().toString());
    assertThat(seen.seen).hasSize(1);
  }

  @Test
  void aMessageForWhichMemoryIsMissingIsSeenByItsStatus() {
    Simulation.start(builder().memoryBudget(MemoryBudget.ofBytes(1 << 20)));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI).wants(1);
    call.says(Texts.ofLength(3 << 20));
    Request seen = after(call);
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(seen.end()).hasToString(call.status().toString());
  }

  @Test
  void aResetIsSeenAsSuch() {
    MadeCall call = MadeCall.start(serving(), Texts.BIDI).says("hello");
    simulation.run();
    call.call().cancel("enough");
    assertThat(after(call).end()).asString().startsWith("CANCELLED: the client reset the call");
    held.only().ends();
    simulation.run();
    assertThat(traced.only().ends).hasSize(1);
  }

  @Test
  void aResponseThatWasNotSentIsNotTheEnd() {
    MadeCall call = MadeCall.start(serving(), Texts.BIDI).says("hello");
    simulation.run();
    held.only().answers(Texts.ofLength(3 << 20)); // over the client's window
    held.only().ends();
    simulation.run();
    assertThat(traced.only().ends).isEmpty();
    call.call().cancel("enough");
    assertThat(after(call).end().code()).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void aDeadlineThatPassesIsSeen() {
    Simulation.start(builder());
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    client.asks(EndStream.YES, request("grpc-timeout", "1S"));
    simulation.run();
    assertThat(traced.only().ends).isEmpty();
    simulation.advance(Duration.ofSeconds(2));
    assertThat(traced.only().end())
        .hasToString("DEADLINE_EXCEEDED: deadline exceeded (set by the client)");
  }

  @Test
  void aLostConnectionIsSeen() {
    ManagedChannel channel = serving();
    MadeCall.whole(channel, Texts.BIDI, "hello");
    simulation.run();
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(traced.only().end())
        .hasToString("CANCELLED: connection to client /192.0.2.1:49152 lost: gone");
  }
}
