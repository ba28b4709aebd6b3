package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a server has read and not looked at yet when its client is gone is nobody's. */
final class EndOfBacklogTest {
  private static final int REQUESTS = 200;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  @Test
  void aConnectionLostInsideABatchStartsNoFurtherCalls() {
    ServerCallHandler<String, String> handler =
        (call, headers) -> {
          if (held.all().isEmpty()) {
            simulation.loop().execute(() -> simulation.network().cutAll("gone"));
          }
          return held.startCall(call, headers);
        };
    simulation.with(Texts.BIDI, handler).serve();
    RawClient client = RawClient.introduced(simulation);
    client.says(requestsInOnePiece());
    simulation.run();
    assertThat(held.all()).hasSizeBetween(1, REQUESTS - 1);
    assertThat(held.all()).extracting(HeldCall::call).allMatch(ServerCall::isCancelled);
  }

  private static byte[] requestsInOnePiece() {
    byte[] block = RawClient.request("/" + Texts.BIDI.fullMethodName());
    ByteBuffer all = ByteBuffer.allocate(REQUESTS * (9 + block.length));
    for (int i = 0; i < REQUESTS; i++) {
      all.putInt(block.length << 8 | RawClient.HEADERS).put((byte) RawClient.END_HEADERS);
      all.putInt(2 * i + 1).put(block);
    }
    return all.array();
  }
}
