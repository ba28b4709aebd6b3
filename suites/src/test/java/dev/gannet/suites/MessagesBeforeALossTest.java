package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a server said before its end is read to the last message; what this side ends, ends now. */
final class MessagesBeforeALossTest {
  private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};
  private static final String MESSAGE = "\0\0\0\0\001m";

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  private MadeCall withThreeUnread(CallOptions options) {
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.SERVER_STREAMING, options).says("").halfCloses();
    simulation.run();
    assertThat(call.messages()).isEmpty();
    return call;
  }

  private MadeCall served(CallOptions options) {
    simulation.with(Texts.SERVER_STREAMING, held).serve();
    MadeCall call = withThreeUnread(options);
    held.only().answers("a", "b", "c");
    simulation.run();
    return call;
  }

  @Test
  void aLostConnectionIsDeliveredAfterTheUnreadMessages() {
    MadeCall call = served(CallOptions.DEFAULT);
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    call.wants(2);
    simulation.run();
    assertThat(call.messages()).containsExactly("a", "b");
    call.wants(2);
    simulation.run();
    assertThat(call.messages()).containsExactly("a", "b", "c");
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words())
        .isEqualTo("connection to " + call.call().peer().orElseThrow() + " lost: gone");
    assertThat(call.heard().closes()).isOne();
    assertThat(simulation.network().buffersInUse()).isZero();
  }

  @Test
  void theGoAwayOfTheServerIsReportedWithTheLoss() {
    simulation.serveRaw((server, stream) -> server.goesAway(stream.id()));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("the server closes the connection (GOAWAY)", "gone");
  }

  @Test
  void aResetIsDeliveredAfterTheUnreadMessages() {
    simulation.serveRaw((server, stream) -> {
      server.sends(stream, EndStream.NO, HEAD);
      server.sendsContent(stream, MESSAGE.repeat(3), EndStream.NO);
      simulation
          .loop()
          .schedule(
              () -> server.resets(stream, ErrorCode.INTERNAL_ERROR),
              Duration.ofSeconds(1).toNanos());
    });
    MadeCall call = withThreeUnread(CallOptions.DEFAULT);
    simulation.advance(Duration.ofSeconds(2));
    assertThat(call.isClosed()).isFalse();
    call.wants(4);
    simulation.run();
    assertThat(call.messages()).containsExactly("m", "m", "m");
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aCancellationIsDeliveredBeforeUnreadMessages() {
    MadeCall call = served(CallOptions.DEFAULT);
    simulation.network().cutAll("gone");
    simulation.run();
    call.call().cancel("no longer wanted");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(call.messages()).isEmpty();
  }

  @Test
  void aDeadlineIsDeliveredBeforeUnreadMessages() {
    MadeCall call = served(simulation.within(Duration.ofSeconds(5)));
    simulation.network().cutAll("gone");
    simulation.advance(Duration.ofSeconds(6));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.heard().closes()).isOne();
  }
}
