package dev.gannet.http2.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the handler of a frame fails, nobody knows how much of it was taken. */
final class TornFramesTest {
  private static final byte[] DATA = {0, 0, 18, 0, 0, 0, 0, 0, 1};
  private static final byte[] PING = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};

  /** Fails at one of its events. */
  private static final class Failing implements FrameHandler {
    private final String at;
    private final List<String> events = new ArrayList<>();

    Failing(String at) {
      this.at = at;
    }

    private void on(String event) {
      events.add(event);
      if (event.equals(at)) {
        throw new IllegalStateException(at);
      }
    }

    @Override
    public void onFrame(FrameHeader header, ByteBuffer payload) {
      on("frame");
    }

    @Override
    public void onDataHeader(FrameHeader header) {
      on("header");
    }

    @Override
    public void onDataBytes(ByteBuffer piece) {
      on("bytes");
    }

    @Override
    public void onDataEnd() {
      on("end");
    }

    @Override
    public void onBroken(Violation violation) {
      on("broken");
    }

    @Override
    public boolean wantsFrames() {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"header", "bytes", "end", "frame"})
  void afterAnExceptionOfTheHandlerNothingIsRead(String at) {
    Failing handler = new Failing(at);
    FrameReader reader = new FrameReader(Role.CLIENT, 16_384, handler);
    ByteBuffer in = ByteBuffer.allocate(100);
    in.put(DATA).put(PING).put(new byte[1]).put(PING).flip(); // the content looks like a frame
    assertThatThrownBy(() -> reader.read(in)).hasMessage(at);
    assertThat(in.hasRemaining()).isFalse();
    assertThat(reader.isInsideFrame()).isFalse();
    List<String> before = List.copyOf(handler.events);
    reader.read(ByteBuffer.wrap(PING));
    assertThat(handler.events).isEqualTo(before);
  }
}
