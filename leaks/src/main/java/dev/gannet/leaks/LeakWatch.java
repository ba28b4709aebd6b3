package dev.gannet.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails each test class after which Netty's leak detectors find a buffer that became garbage
 * without being released. It finds what was lost in this class or, if threads were late, in an
 * earlier one.
 *
 * <p>JUnit finds this extension by itself if {@code junit.jupiter.extensions.autodetection.enabled}
 * is set. It must be loaded before Netty's own classes, and {@code io.netty.leakDetection.level}
 * must be {@code paranoid}; otherwise detectors check only a sample.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback {
  private static final LeakBook BOOK = new LeakBook();

  static {
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new WatchedDetectors(BOOK));
  }

  /** For {@link java.util.ServiceLoader}. */
  public LeakWatch() {}

  /**
   * Ensures that every buffer is checked.
   *
   * @throws IllegalStateException if detectors check only a sample
   */
  @Override
  public void beforeAll(ExtensionContext context) {
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    if (level != ResourceLeakDetector.Level.PARANOID) {
      throw new IllegalStateException("leak detection is " + level + ", not paranoid");
    }
  }

  /**
   * Collects garbage and checks it.
   *
   * @throws AssertionError if a buffer was lost, with the places that used it last
   */
  @Override
  public void afterAll(ExtensionContext context) {
    boolean isNested = context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    List<String> leaks = isNested ? List.of() : BOOK.takeAfterCollection();
    if (!leaks.isEmpty()) {
      throw new AssertionError("not released before it was garbage: " + String.join("\n", leaks));
    }
  }

  /** What was lost since the last call; collects garbage first. */
  static List<String> takeLeaks() {
    return BOOK.takeAfterCollection();
  }
}
