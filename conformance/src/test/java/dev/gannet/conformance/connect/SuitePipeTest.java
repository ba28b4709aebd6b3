package dev.gannet.conformance.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import connectrpc.conformance.v1.Service.Header;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** How messages stand on the suite's streams. */
final class SuitePipeTest {
  private static final Header MESSAGE = Header.newBuilder().setName("a").build();
  private static final byte[] FRAMED = {0, 0, 0, 3, 10, 1, 'a'};

  @Test
  void aMessageFollowsItsLengthInFourBytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    new SuitePipe(new ByteArrayInputStream(new byte[0]), out).write(MESSAGE);

    assertThat(out.toByteArray()).isEqualTo(FRAMED);
  }

  @Test
  void messagesAreReadUntilTheInputEnds() throws IOException {
    SuitePipe pipe = reading(0, 0, 0, 3, 10, 1, 'a', 0, 0, 0, 0);

    assertThat(pipe.read(Header.parser())).contains(MESSAGE);
    assertThat(pipe.read(Header.parser())).contains(Header.getDefaultInstance());
    assertThat(pipe.read(Header.parser())).isEmpty();
  }

  @Test
  void anInputThatEndsInsideALengthIsRefused() {
    assertThatExceptionOfType(EOFException.class)
        .isThrownBy(() -> reading(0, 0).read(Header.parser()));
  }

  @Test
  void anInputThatEndsInsideAMessageIsRefused() {
    assertThatExceptionOfType(EOFException.class)
        .isThrownBy(() -> reading(0, 0, 0, 3, 10).read(Header.parser()));
  }

  @Test
  void aLengthThatNoMessageHasIsRefused() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> reading(0xff, 0xff, 0xff, 0xff).read(Header.parser()))
        .withMessageContaining("4294967295");
  }

  private static SuitePipe reading(int... bytes) {
    byte[] input = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      input[i] = (byte) bytes[i];
    }
    return new SuitePipe(new ByteArrayInputStream(input), new ByteArrayOutputStream());
  }
}
