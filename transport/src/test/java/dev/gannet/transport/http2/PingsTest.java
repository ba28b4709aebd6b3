package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport.Ping;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a connection keeps of the PINGs whose answer a caller waits for. */
final class PingsTest {
  private final Pings pings = new Pings();

  private static final class Asked implements Ping {
    final List<String> told = new ArrayList<>();
    boolean over;

    @Override
    public void onAnswer(long roundTripNanos) {
      told.add("after " + roundTripNanos);
    }

    @Override
    public void onFailed(Status why) {
      told.add(why.code().toString());
    }

    @Override
    public boolean isOver() {
      return over;
    }
  }

  @Test
  void anAnswerCompletesItsPingOnce() {
    Asked first = new Asked();
    Asked second = new Asked();
    long opaque = pings.add(first, 10);
    pings.add(second, 20);
    pings.onAnswer(opaque, 25);
    pings.onAnswer(opaque, 30);
    pings.onAnswer(99, 30);
    pings.failAll(Status.UNAVAILABLE);
    assertThat(first.told).containsExactly("after 15");
    assertThat(second.told).containsExactly("UNAVAILABLE");
  }

  @Test
  void pingsWhoseCallersWaitNoLongerAreForgottenWhenTheNextIsSent() {
    Asked first = new Asked();
    Asked second = new Asked();
    Asked waits = new Asked();
    long opaque = pings.add(first, 10);
    pings.add(second, 20);
    first.over = true;
    second.over = true;
    pings.add(waits, 30);
    pings.onAnswer(opaque, 40);
    pings.failAll(Status.UNAVAILABLE);
    assertThat(first.told).isEmpty();
    assertThat(second.told).isEmpty();
    assertThat(waits.told).containsExactly("UNAVAILABLE");
  }
}
