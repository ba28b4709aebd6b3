package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task finds nothing that another thread, or the task before it, has left. */
@Timeout(60)
final class NewHandlerThreadsTest {
  private static final ThreadLocal<String> OF_THREAD = new ThreadLocal<>();
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  private final NewHandlerThreads threads = new NewHandlerThreads();

  @Test
  void thereAreNoThreadLocalsOfAnotherTask() {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      found.add(
          CompletableFuture.supplyAsync(
                  () -> {
                    String before = String.valueOf(OF_THREAD.get());
                    OF_THREAD.set("left");
                    return before;
                  },
                  threads)
              .join());
    }
    assertThat(found).containsOnly("null");
  }

  @Test
  void nothingIsInheritedFromTheThreadThatStartsTheTask() {
    INHERITED.set("of the caller");
    try {
      assertThat(CompletableFuture.supplyAsync(() -> INHERITED.get() == null, threads).join())
          .isTrue();
    } finally {
      INHERITED.remove();
    }
  }

  private static NewHandlerThreads createdUnder(ClassLoader loader) {
    Thread creator = Thread.currentThread();
    ClassLoader before = creator.getContextClassLoader();
    creator.setContextClassLoader(loader);
    try {
      return new NewHandlerThreads();
    } finally {
      creator.setContextClassLoader(before);
    }
  }

  @Test
  void theContextClassLoaderIsThatOfTheCreator() {
    ClassLoader ofCreator = ClassLoader.getPlatformClassLoader(); // not the default of threads
    assertThat(
            CompletableFuture.supplyAsync(
                    () -> Thread.currentThread().getContextClassLoader(), createdUnder(ofCreator))
                .join())
        .isSameAs(ofCreator);
  }
}
