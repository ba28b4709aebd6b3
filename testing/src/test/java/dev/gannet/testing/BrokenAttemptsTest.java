package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.testing.BrokenPipes.Part;
import dev.gannet.transport.http2.Http2Transport;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is thrown on the way to a connection, the attempt has failed, and others follow. */
final class BrokenAttemptsTest {
  private static final Duration LONGER_THAN_A_BACKOFF = Duration.ofSeconds(2);

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  private void assertServedAfterwards(ManagedChannel channel) {
    simulation.advance(LONGER_THAN_A_BACKOFF);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.only().ends(Status.ABORTED);
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.ABORTED);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aTransportThatThrowsFailsTheCallsThatWait(Part part) {
    simulation.with(Texts.UNARY, held).serve();
    BrokenPipes pipes = new BrokenPipes(simulation.network(), part);
    ManagedChannel channel =
        simulation.channelBuilder().transport(Http2Transport.over(pipes)).build();
    MadeCall one = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall other = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(one.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(one.words()).contains("no loops here");
    assertThat(one.status().cause()).containsInstanceOf(BrokenPipes.CannotBegin.class);
    assertThat(other.code()).isEqualTo(Status.Code.UNAVAILABLE);
    pipes.repair();
    assertServedAfterwards(channel);
  }

  @Test
  void anAttemptThatThrewIsFollowedByABackoff() {
    simulation.with(Texts.UNARY, held).serve();
    BrokenPipes pipes = new BrokenPipes(simulation.network(), Part.CONNECT);
    ManagedChannel channel =
        simulation.channelBuilder().transport(Http2Transport.over(pipes)).build();
    MadeCall patient =
        MadeCall.whole(channel, Texts.UNARY, CallOptions.DEFAULT.withWaitForReady(true), "");
    simulation.run();
    pipes.repair();
    simulation.run();
    assertThat(simulation.network().connectAttempts()).isZero();
    assertThat(patient.isClosed()).isFalse();
    simulation.advance(LONGER_THAN_A_BACKOFF);
    assertThat(held.all()).hasSize(1);
  }

  @Test
  void aResolverThatThrowsFailsTheCallsThatWait() {
    ManagedChannel channel =
        ManagedChannel.builder(BreakableResolver.BREAKING_NAME, Simulation.PORT)
            .plaintext()
            .transport(Http2Transport.over(simulation.network()))
            .executor(simulation.loop())
            .build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words())
        .contains(BreakableResolver.BREAKING_NAME)
        .contains("the resolver broke");
  }
}
