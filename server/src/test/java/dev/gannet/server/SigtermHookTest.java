package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A server that closes on SIGTERM leaves nothing behind when it ends before. */
final class SigtermHookTest {
  private final SigtermHook hook = new SigtermHook();

  @Test
  void theHookOfAServerThatHasEndedIsRemoved() throws IOException {
    Server server =
        Server.builder(HandTransport.ADDRESS).plaintext().transport(new HandTransport()).start();
    hook.onStart(server);
    server.shutdownNow();
    hook.onTerminated(server);
    hook.onTerminated(server);
    assertThat(server.isShutdown()).isTrue();
  }
}
