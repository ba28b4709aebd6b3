package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.suites.TracedCalls.Attempt;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A channel's tracers see what only HTTP/2 has: resets, lost connections, compressed messages. */
final class Http2ClientTracersTest {
  private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private final TracedCalls traced = new TracedCalls();

  private ManagedChannel channel() {
    return simulation.channelBuilder().addTracer(traced).build();
  }

  private ManagedChannel serving() {
    simulation.with(Texts.BIDI, held).serve();
    return channel();
  }

  private List<String> seen() {
    return traced.only().onlyAttempt().seen;
  }

  @Test
  void messagesHaveNumbersAndBothSizes() {
    MadeCall call =
        MadeCall.start(
                serving(), Texts.BIDI, CallOptions.DEFAULT.withCompression("gzip"), new Metadata())
            .wants(9)
            .says(Texts.ofLength(40_000));
    call.call().setMessageCompression(false);
    call.says("two");
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers(Texts.ofLength(30_000), "");
    held.only().ends();
    simulation.run();
    assertThat(seen().get(2)).matches("sent 0: \\d{2,3} of 40000");
    assertThat(seen().get(3)).isEqualTo("sent 1: 3 of 3");
    assertThat(seen().get(5)).matches("received 0: \\d{2,3} of 30000");
    assertThat(seen().get(6)).matches("received 1: \\d{2} of 0"); // gzip's own
    assertThat(seen().getLast()).isEqualTo("end: OK");
  }

  @Test
  void aResetAndALostConnectionAreSeen() {
    simulation.serveRaw((server, stream) -> {
      if (traced.all().size() == 1) {
        server.resets(stream, ErrorCode.ENHANCE_YOUR_CALM);
      } else {
        simulation.network().cutAll("gone");
      }
    });
    ManagedChannel channel = channel();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(traced.all().getFirst().end().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(traced.all().getLast().end())
        .hasToString("UNAVAILABLE: connection to /192.0.2.1:50051 lost: gone");
    assertThat(traced.all().getLast().onlyAttempt().seen)
        .endsWith("end: UNAVAILABLE: connection to /192.0.2.1:50051 lost: gone");
  }

  @Test
  void aTransparentRetryIsAnotherAttemptOfTheSameCall() {
    List<String> paths = new ArrayList<>();
    simulation.serveRaw((server, stream) -> {
      paths.add("one more");
      if (paths.size() == 1) {
        server.resets(stream, ErrorCode.REFUSED_STREAM);
      } else {
        server.sends(stream, EndStream.NO, HEAD);
        server.sends(stream, EndStream.YES, "grpc-status", "5", "grpc-message", "seen");
      }
    });
    MadeCall.whole(channel(), Texts.UNARY, "hello");
    simulation.run();
    assertThat(traced.only().end()).hasToString("NOT_FOUND: seen");
    List<Attempt> attempts = traced.only().attempts;
    assertThat(attempts).hasSize(2);
    assertThat(attempts.getFirst().seen)
        .startsWith("opened", "headers sent", "sent 0: 5 of 5")
        .hasSize(4);
    assertThat(attempts.getFirst().seen.getLast()).startsWith("end: UNAVAILABLE");
    assertThat(attempts.getLast().start.isTransparentRetry()).isTrue();
    assertThat(attempts.getLast().start.previousAttempts()).isZero();
    assertThat(attempts.getLast().seen)
        .containsExactly(
            "opened", "headers sent", "sent 0: 5 of 5", "headers received", "end: NOT_FOUND: seen");
  }

  @Test
  void aResponseThatCannotBeReadFailsTheCallAndNotItsAttempt() {
    MadeCall call = MadeCall.start(serving(), Texts.BIDI).says("hello");
    simulation.run();
    String unparsable = Texts.UNPARSABLE + Texts.ofLength(20_000); // so long that its reader parses
    held.only().answers(unparsable);
    held.only().ends();
    simulation.run();
    call.wants(1);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(seen()).endsWith("end: OK");
    assertThat(traced.only().end()).isEqualTo(call.status());
  }
}
