package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ServiceLoader finds parts of an application, some of which cannot be used. */
final class FoundPluginsTest {
  private static final Logger LOG = Logger.getLogger(FoundPlugins.class.getName());

  private final List<String> warnings = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          warnings.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void readTheLog() {
    LOG.setUseParentHandlers(false);
    LOG.addHandler(handler);
  }

  @AfterEach
  void leaveTheLog() {
    LOG.removeHandler(handler);
    LOG.setUseParentHandlers(true);
  }

  /** Can be loaded. */
  public static final class Good implements Runnable {
    /** For ServiceLoader. */
    public Good() {}

    @Override
    public void run() {}
  }

  /** Has no constructor that ServiceLoader may call. */
  public static final class Closed implements Runnable {
    private Closed() {}

    @Override
    public void run() {}
  }

  /** Cannot be constructed. */
  public static final class Throwing implements Runnable {
    /** For ServiceLoader. */
    public Throwing() {
      throw new IllegalStateException("no licence");
    }

    @Override
    public void run() {}
  }

  /** Cannot be initialized. */
  public static final class Uninitialized implements Runnable {
    private static final int NUMBER = Integer.parseInt("none");

    /** For ServiceLoader. */
    public Uninitialized() {}

    @Override
    public void run() {
      assertThat(NUMBER).isZero();
    }
  }

  @Test
  void thoseThatCannotBeLoadedDoNotHideTheOthers(@TempDir Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(
        services.resolve(Runnable.class.getName()),
        List.of(
            "no.such.Class",
            FoundPluginsTest.class.getName(),
            Closed.class.getName(),
            Throwing.class.getName(),
            Uninitialized.class.getName(),
            Good.class.getName()));
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, FoundPluginsTest.class.getClassLoader())) {
      assertThat(FoundPlugins.in(ServiceLoader.load(Runnable.class, loader), "a runnable"))
          .hasOnlyElementsOfType(Good.class)
          .hasSize(1);
    }
    assertThat(warnings)
        .hasSize(5)
        .allMatch(it -> it.startsWith("a runnable that ServiceLoader finds cannot be used: "))
        .anyMatch(it -> it.contains("no.such.Class"));
  }

  @Test
  void aClassPathThatCannotBeReadEndsTheSearch() {
    Iterable<Runnable> unreadable =
        () ->
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                throw new IllegalStateException("the jar is gone");
              }

              @Override
              public Runnable next() {
                throw new AssertionError("there is none");
              }
            };
    assertThat(FoundPlugins.in(unreadable, "a runnable")).isEmpty();
    assertThat(warnings).isNotEmpty();
  }
}
