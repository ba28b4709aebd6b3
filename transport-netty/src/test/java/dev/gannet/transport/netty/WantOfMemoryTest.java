package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.TlsIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whichever piece of memory cannot be had, calls end, later ones go well, and nothing is lost: one
 * course of events is played again and again over real sockets, and each time the next piece of
 * Netty's memory fails to come.
 */
@Timeout(300)
final class WantOfMemoryTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet");

  /** Courses that are played side by side: those whose connection fails wait for the next try. */
  private static final int AT_ONCE = 48;

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @Test
  void anyMissingMemoryEndsCallsAndLosesNothingInPlaintext() throws Exception {
    int pieces =
        assertHeld(number ->
            new WantOfMemory(ServerCredentials.insecure(), ChannelCredentials.insecure(), number));
    assertThat(pieces).isGreaterThanOrEqualTo(2); // to read into and to write from
  }

  @Test
  void anyMissingMemoryEndsCallsAndLosesNothingWithTls() throws Exception {
    Pem certificate = pem("localhost.pem");
    ServerCredentials server =
        ServerCredentials.tls(TlsIdentity.of(certificate, pem("localhost.key")));
    ChannelCredentials client = ChannelCredentials.tls().withTrust(certificate);
    int pieces = assertHeld(number -> new WantOfMemory(server, client, number));
    assertThat(pieces).isGreaterThan(20);
  }

  private static Pem pem(String name) throws IOException {
    try (InputStream in = WantOfMemoryTest.class.getResourceAsStream(name)) {
      return Pem.of(Objects.requireNonNull(in, name));
    }
  }

  /** Returns how many pieces there are that can fail. */
  private static int assertHeld(IntFunction<WantOfMemory> courses) throws Exception {
    List<String> broken = new ArrayList<>();
    int pieces = 0;
    boolean more = true;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      while (more) {
        List<WantOfMemory> wave = new ArrayList<>();
        List<Future<List<String>>> playing = new ArrayList<>();
        for (int i = 1; i <= AT_ONCE; i++) {
          WantOfMemory course = courses.apply(pieces + i);
          wave.add(course);
          playing.add(threads.submit(course::play));
        }
        for (Future<List<String>> played : playing) {
          broken.addAll(played.get());
        }
        int failed = (int) wave.stream().filter(WantOfMemory::hasFailed).count();
        pieces += failed;
        more = failed == AT_ONCE;
      }
    }
    assertThat(broken).as("%d pieces that can fail", pieces).isEmpty();
    return pieces;
  }
}
