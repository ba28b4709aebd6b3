package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What observers hear of a server, step by step. */
final class ServerLifecycleTest {
  private final HandTransport transport = new HandTransport();
  private final Steps steps = new Steps();

  private static final class Steps implements ServerObserver {
    private final List<String> told = new ArrayList<>();

    @Override
    public void onStart(Server server) {
      told.add("start");
    }

    @Override
    public void onShutdown(Server server) {
      told.add("shutdown");
    }

    @Override
    public void onDrain(Server server) {
      told.add("drain");
    }

    @Override
    public void onTerminated(Server server) {
      told.add("terminated");
    }
  }

  private ServerBuilder builder() {
    return Server.builder(HandTransport.ADDRESS).plaintext().transport(transport).observe(steps);
  }

  @Test
  void eachStepIsReportedOnce() throws IOException {
    Server server = builder().start();
    assertThat(steps.told).containsExactly("start");
    assertThat(server.isShutdown()).isFalse();

    server.shutdown().shutdown().shutdownNow();

    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void theDelayOfAShutdownIsBeforeTheDrain() throws IOException {
    Server server = builder().shutdownDelay(Duration.ofSeconds(5)).start();
    server.shutdown();
    assertThat(server.isShutdown()).isTrue();
    assertThat(steps.told).containsExactly("start", "shutdown");

    transport.scheduled.removeFirst().run();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }

  @Test
  void aDelayOfForeverDoesNotEndByItself() throws IOException {
    Duration forever = ChronoUnit.FOREVER.getDuration();
    Server server = builder().shutdownDelay(forever).closeGrace(forever).start();
    server.shutdown();
    assertThat(transport.scheduled).hasSize(1);
    assertThat(steps.told).containsExactly("start", "shutdown");
    server.shutdownNow();
    server.close();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }

  @Test
  void shutdownNowDoesNotWaitForTheDelay() throws IOException {
    Server server = builder().shutdownDelay(Duration.ofSeconds(5)).start();
    server.shutdown().shutdownNow();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");

    transport.scheduled.removeFirst().run(); // it comes too late
    assertThat(steps.told).hasSize(4);
  }

  @Test
  void anExceptionOfAnObserverDoesNotHideEventsFromOthers() throws IOException {
    ServerObserver failing =
        new ServerObserver() {
          @Override
          public void onShutdown(Server server) {
            throw new IllegalStateException("out of order");
          }
        };
    Server server =
        Server.builder(HandTransport.ADDRESS)
            .plaintext()
            .transport(transport)
            .observe(failing)
            .observe(steps)
            .start();
    server.shutdownNow();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }

  @Test
  void aStepThatAnObserverCausesFollowsTheOneThatItHearsOf() throws IOException {
    ServerObserver impatient =
        new ServerObserver() {
          @Override
          public void onShutdown(Server server) {
            server.shutdownNow();
          }
        };
    Server server =
        Server.builder(HandTransport.ADDRESS)
            .plaintext()
            .transport(transport)
            .observe(impatient)
            .observe(steps)
            .start();
    server.shutdown();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }

  @Test
  void serversOfOneBuilderHaveTheirOwnSettingsAndShareItsObservers() throws IOException {
    ServerBuilder builder = builder();
    Server first = builder.start();
    Steps ofSecond = new Steps();
    Server second = builder.observe(ofSecond).start();
    first.shutdownNow();
    assertThat(second.isShutdown()).isFalse();
    assertThat(steps.told).containsExactly("start", "start", "shutdown", "drain", "terminated");
    assertThat(ofSecond.told).containsExactly("start");
  }

  @Test
  void aServerWhoseObserverThrowsAtTheStartDoesNotListen() {
    ServerObserver unwilling =
        new ServerObserver() {
          @Override
          public void onStart(Server server) {
            throw new IllegalStateException("not today");
          }
        };
    ServerBuilder builder = builder().observe(unwilling);
    assertThatThrownBy(builder::start).hasMessage("not today");
    assertThat(transport.doors).isEmpty();
    assertThat(steps.told).containsExactly("start", "terminated");
  }

  @Test
  void allObserversHearOfTheStartBeforeOtherSteps() throws IOException {
    Server.builder(HandTransport.ADDRESS)
        .plaintext()
        .transport(transport)
        .observe(
            new ServerObserver() {
              @Override
              public void onStart(Server server) {
                server.shutdownNow();
              }
            })
        .observe(steps)
        .start();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }

  @Test
  void observersHearOfAllStepsEvenIfTheLogIsBroken() throws IOException {
    Server server =
        Server.builder(HandTransport.ADDRESS)
            .plaintext()
            .transport(transport)
            .observe(
                new ServerObserver() {
                  @Override
                  public void onShutdown(Server its) {
                    throw new IllegalStateException("no");
                  }
                })
            .observe(steps)
            .start();
    Logger logger = Logger.getLogger(ServerLifecycle.class.getName());
    Handler broken = new BrokenLog();
    logger.addHandler(broken);
    try {
      server.shutdown();
    } finally {
      logger.removeHandler(broken);
    }
    server.shutdownNow();
    assertThat(steps.told).containsExactly("start", "shutdown", "drain", "terminated");
  }
}
