package dev.gannet.leaks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A buffer that is lost is found, with the place that lost it; one that is released is not. */
final class LeakWatchTest {
  private static final String AUTODETECTION = "junit.jupiter.extensions.autodetection.enabled";

  /** Not for the build, which would rightly fail. */
  static final class LosingTests {
    @Test
    void passesAndLosesABuffer() {
      loseOne();
    }
  }

  /** As above, and clean. */
  static final class CarefulTests {
    @Test
    void passesAndReleasesItsBuffer() {
      ByteBuf buffer = PooledByteBufAllocator.DEFAULT.buffer(64);
      assertThat(buffer.release()).isTrue();
    }
  }

  private static void loseOne() {
    assertThat(PooledByteBufAllocator.DEFAULT.buffer(64).writeByte(1).refCnt()).isOne();
  }

  private static TestExecutionSummary run(Class<?> tests) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(tests))
            .configurationParameter(AUTODETECTION, "true")
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, listener);
    return listener.getSummary();
  }

  @Test
  void aTestClassThatLosesABufferFails() {
    TestExecutionSummary summary = run(LosingTests.class);
    assertThat(summary.getTestsSucceededCount()).isOne();
    assertThat(summary.getTotalFailureCount()).isOne();
    assertThat(summary.getFailures().getFirst().getException())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not released before it was garbage: ByteBuf")
        .hasMessageContaining("LeakWatchTest.loseOne");
  }

  @Test
  void aTestClassThatReleasesItsBuffersPasses() {
    TestExecutionSummary summary = run(CarefulTests.class);
    assertThat(summary.getTestsSucceededCount()).isOne();
    assertThat(summary.getTotalFailureCount()).isZero();
  }

  @Test
  void aLeakIsReportedOnce() {
    loseOne();
    assertThat(LeakWatch.takeLeaks()).hasSize(1);
    assertThat(LeakWatch.takeLeaks()).isEmpty();
  }
}
