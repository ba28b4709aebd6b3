package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.client.ManagedChannel;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls of one connection may each name another authority, and another compression. */
final class ManyAuthoritiesTest {
  private static final List<CallOptions> ALL =
      IntStream.range(0, 40)
          .mapToObj(i -> CallOptions.DEFAULT.withAuthority("host-" + i))
          .flatMap(it -> Stream.of(it, it.withCompression("gzip")))
          .toList();

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.with(Texts.UNARY, held).serve();
    channel = simulation.channel();
  }

  private void call(CallOptions options) {
    MadeCall.whole(channel, Texts.UNARY, options, "a");
    simulation.run();
    HeldCall call = held.all().removeLast();
    CallContext context = call.call().context();
    assertThat(context.authority()).isEqualTo(options.authority().orElseThrow());
    assertThat(context.isRequestCompressed()).isEqualTo(options.compression().isPresent());
    call.answers("b");
    call.ends();
    simulation.run();
  }

  @Test
  void eachCallHasItsOwnAuthorityAlsoIfItIsRepeated() {
    for (int i = 1; i < ALL.size(); i++) {
      call(ALL.get(i));
      call(ALL.get(i));
      call(ALL.get(i - 1));
    }
    ALL.forEach(this::call);
  }
}
