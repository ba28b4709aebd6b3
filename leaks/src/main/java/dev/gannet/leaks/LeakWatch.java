package dev.gannet.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails each test class behind which Netty's leak detectors find a buffer that was garbage before
 * it was released. Finds what was lost in this class or, where threads lagged behind, in one before
 * it.
 *
 * <p>JUnit finds it by itself where {@code junit.jupiter.extensions.autodetection.enabled} is set.
 * It must be there before Netty's own classes are, and {@code io.netty.leakDetection.level} must be
 * {@code paranoid}, or detectors look at a sample only.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
  private static final LeakBook BOOK = new LeakBook();

  static {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new WatchedDetectors(BOOK));
  }

  /** For {@link java.util.ServiceLoader}. */
  public LeakWatch() {}

  /**
   * Sees to it that every buffer is looked at.
   *
   * @throws IllegalStateException if detectors look at a sample only
   */
  @Override
  public void beforeAll(ExtensionContext context) {
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    if (level != ResourceLeakDetector.Level.PARANOID) {
      throw new IllegalStateException("leak detection is " + level + ", not paranoid");
    }
  }

  /**
   * Collects garbage and looks at what was among it.
   *
   * @throws AssertionError if something was lost, with the places that touched it last
   */
  @Override
  public void afterAll(ExtensionContext context) {
    boolean isNested = context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    List<String> leaks = isNested ? List.of() : BOOK.takeAfterCollection();
    if (!leaks.isEmpty()) {
      throw new AssertionError("not released before it was garbage: " + String.join("\n", leaks));
    }
  }

  /** What was lost since the last look, garbage collection included. */
  static List<String> takeLeaks() {
    return BOOK.takeAfterCollection();
  }
}
