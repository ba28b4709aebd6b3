package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import org.junit.jupiter.api.Test;

/** Limits that have no option of their own can be changed all the same, on both ends. */
final class LimitOptionsTest {
  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  @Test
  void aServerUsesTheLimitsOfItsBuilder() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(
        simulation.serverBuilder().transportLimits(limits -> limits.withMaxHeaderFields(3)));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI);
    simulation.run();
    assertThat(call.status().code()).isNotEqualTo(Status.Code.OK);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aRaisedMessageLimitIsTheOnlyOneUnlessARatioIsSet() {
    String long12Mib = Texts.ofLength(12 << 20);
    CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
    simulation.with(Texts.BIDI, held);
    Server raised = Simulation.start(simulation.serverBuilder().maxInboundMessageBytes(16 << 20));
    MadeCall.whole(simulation.channel(), Texts.BIDI, gzip, long12Mib);
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactly(long12Mib);
    raised.shutdownNow();
    simulation.run();
    Simulation.start(
        simulation
            .serverBuilder()
            .maxInboundMessageBytes(16 << 20)
            .transportLimits(limits -> limits.withMaxDecompressionRatio(100)));
    MadeCall refused = MadeCall.whole(simulation.channel(), Texts.BIDI, gzip, long12Mib);
    simulation.run();
    assertThat(refused.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refused.words()).contains("maxDecompressionRatio (100)");
  }

  @Test
  void aChannelUsesTheLimitsOfItsBuilder() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .transportLimits(limits -> limits.withMaxHeaderFields(1))
            .build();
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    held.only().answers("text");
    simulation.run();
    assertThat(call.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }
}
