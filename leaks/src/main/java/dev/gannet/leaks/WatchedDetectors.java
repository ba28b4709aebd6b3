package dev.gannet.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;

/** Creates detectors that write into a book instead of a log. */
final class WatchedDetectors extends ResourceLeakDetectorFactory {
  private final LeakBook book;

  WatchedDetectors(LeakBook book) {
    this.book = book;
  }

  @Override
  @SuppressWarnings({"unchecked", "deprecation"}) // a detector never uses what it tracks
  public <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval, long maxActive) {
    return (ResourceLeakDetector<T>) watched(resource, samplingInterval);
  }

  private ResourceLeakDetector<Object> watched(Class<?> resource, int samplingInterval) {
    ResourceLeakDetector<Object> detector = new Watched(resource, samplingInterval, book);
    book.add(detector);
    return detector;
  }

  /** A detector with a book. */
  private static final class Watched extends ResourceLeakDetector<Object> {
    private final LeakBook book;

    Watched(Class<?> resource, int samplingInterval, LeakBook book) {
      super(resource, samplingInterval);
      this.book = book;
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      book.report(resourceType, records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
      book.report(resourceType, " (where it was last is not known)");
    }
  }
}
