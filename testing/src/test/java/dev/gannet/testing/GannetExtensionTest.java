package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.gannet.api.CallOptions;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What tests that use the extension see of it, in runs of tests inside this test. */
final class GannetExtensionTest {
  /** Whether {@link Inner} may run: tools that look for tests find it, too. */
  private static boolean running;

  /** Tests that this one runs. */
  static final class Inner {
    @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

    private static Optional<ManagedChannel> used = Optional.empty();

    @AfterEach
    void callAgain() {
      if (running) {
        BlockingCalls.unary(used.orElseThrow(), Words.SAY, CallOptions.DEFAULT, "goodbye");
      }
    }

    @Test
    void good() {
      if (running) {
        used = Optional.of(gannet.channelTo(Words.echo()));
        BlockingCalls.unary(used.get(), Words.SAY, CallOptions.DEFAULT, "hello");
      }
    }

    @Test
    void leaking() {
      if (running) {
        used = Optional.of(gannet.channelTo(Words.echo()));
        var unused = BlockingCalls.bidiStreaming(used.get(), Words.TALK, CallOptions.DEFAULT);
        assertThat(unused).isNotNull();
      }
    }

    @Test
    void failing() {
      if (running) {
        used = Optional.of(gannet.channelTo(Words.echo()));
        BlockingCalls.unary(used.get(), Words.SAY, CallOptions.DEFAULT, "hello");
        throw new AssertionError("expected something else");
      }
    }
  }

  /** Another extension, which fails before each test. */
  static final class Failing implements BeforeEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
      if (running) {
        throw new IllegalStateException("no database");
      }
    }
  }

  /** A test whose test bed is not created, because another extension fails first. */
  static final class Hindered {
    @RegisterExtension
    @Order(1)
    final Failing failing = new Failing();

    @RegisterExtension
    @Order(2)
    final GannetExtension gannet = GannetExtension.inProcess();

    @Test
    void good() {}
  }

  private static final class Heard implements TestExecutionListener {
    private Optional<Throwable> failure = Optional.empty();
    private final List<String> entries = new ArrayList<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest()) {
        failure = result.getThrowable();
      }
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
      entries.add(entry.getKeyValuePairs().toString());
    }
  }

  private static Heard run(String method) {
    return run(Inner.class, method);
  }

  private static Heard run(Class<?> type, String method) {
    Heard heard = new Heard();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(type, method))
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
            .build();
    running = true;
    try {
      LauncherFactory.create().execute(request, heard);
    } finally {
      running = false;
    }
    return heard;
  }

  @Test
  void aPassingTestPassesAndItsChannelsAreClosed() {
    Heard heard = run("good");
    assertThat(heard.failure).isEmpty();
    assertThat(heard.entries).isEmpty();
    assertThat(Inner.used.orElseThrow().isTerminated()).isTrue();
  }

  @Test
  void aTestThatLeavesACallOpenFails() {
    Heard heard = run("leaking");
    assertThat(heard.failure.orElseThrow())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("call test.Words/Talk started here")
        .hasMessageContaining("Inner.leaking");
    assertThat(heard.failure.orElseThrow().getSuppressed()).hasSize(1);
  }

  @Test
  void aTestThatFailsPublishesItsTranscript() {
    Heard heard = run("failing");
    assertThat(heard.failure.orElseThrow()).hasMessage("expected something else");
    assertThat(heard.entries).hasSize(1);
    assertThat(heard.entries.getFirst()).contains("transcript").contains("#1 -> message: hello");
  }

  @Test
  void theFailureOfAnotherExtensionIsTheOnlyOne() {
    Throwable failure = run(Hindered.class, "good").failure.orElseThrow();
    assertThat(failure).hasMessage("no database");
    assertThat(failure.getSuppressed()).isEmpty();
  }

  @Test
  void outsideOfTestsThereIsNoTestbed() {
    assertThatThrownBy(() -> GannetExtension.inProcess().testbed())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not static");
    assertThatThrownBy(() -> GannetExtension.onLoopback().clock())
        .hasMessageContaining("inVirtualTime");
  }
}
