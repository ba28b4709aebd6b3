package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.Limits;
import org.junit.jupiter.api.Test;

/** Limits that have no option of their own can be changed all the same, on both ends. */
final class LimitOptionsTest {
  private static final Limits OTHER = Limits.DEFAULT;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  @Test
  void aServerHasTheLimitsThatItsBuilderSays() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .connectionLimits(limits ->
                limits.withHttp2(http2 -> http2.withHeaders(OTHER.headers().withMaxFields(3)))));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI);
    simulation.run();
    assertThat(call.status().code()).isNotEqualTo(Status.Code.OK);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aChannelHasTheLimitsThatItsBuilderSays() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .connectionLimits(limits ->
                limits.withHttp2(http2 -> http2.withHeaders(OTHER.headers().withMaxFields(1))))
            .build();
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    held.only().answers("text");
    simulation.run();
    assertThat(call.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }
}
