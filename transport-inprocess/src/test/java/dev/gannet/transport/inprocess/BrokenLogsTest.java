package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log that cannot be written costs no call its end, and no server its own. */
final class BrokenLogsTest {
  private final Logger logger = Logger.getLogger("dev.gannet.transport");
  private final Broken broken = new Broken();
  private final World world = new World();

  private static final class Broken extends java.util.logging.Handler {
    @Override
    public void publish(LogRecord line) {
      throw new IllegalStateException("the disk is full");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void breakLog() {
    logger.addHandler(broken);
  }

  @AfterEach
  void mend() {
    logger.removeHandler(broken);
  }

  @Test
  void aFallbackRegistryWhoseExceptionCannotBeLoggedEndsItsCallOnly() {
    Server server =
        World.start(
            world
                .serverBuilder(Texts.BIDI, new Handler(0))
                .addFallbackHandlerRegistry(name -> {
                  throw new IllegalArgumentException("no such method");
                }));
    ManagedChannel channel = world.channel();
    channel.connect();
    world.run();

    Heard heard = World.call(channel, Texts.UNARY, "request");
    world.run();
    assertThat(heard.isClosed()).isTrue();
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);

    channel.shutdown();
    server.shutdown();
    world.run();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(server.isTerminated()).isTrue();
  }
}
