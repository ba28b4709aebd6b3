package dev.gannet.benchmarks.compare.program;

import dev.gannet.benchmarks.harness.Arguments;
import dev.gannet.benchmarks.harness.ServerProgram;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A minimal server in a single Java file, which shows the lowest possible cost of a response: it is
 * compiled here against Netty and run. Its {@code main} takes a port and a number of event loops,
 * and does not return.
 */
public final class Floor {
  private static final Duration MAX_START = Duration.ofSeconds(20);
  private static final long LOOK_NANOS = 10_000_000;

  private Floor() {}

  /** Serves until standard input ends; {@code --file} names the Java file. */
  public static void main(String[] args) throws Exception {
    File file = new File(new Arguments(args).required("file"));
    ServerProgram.run(args, options -> start(file));
  }

  private static int start(File file) throws Exception {
    Method main = compile(file).getMethod("main", String[].class);
    int port = freePort();
    String[] args = {
      Integer.toString(port), Integer.toString(Runtime.getRuntime().availableProcessors())
    };
    Thread.ofPlatform().daemon().name("floor").start(() -> invoke(main, args));
    awaitListening(port);
    return port;
  }

  private static Class<?> compile(File file) throws IOException, ClassNotFoundException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    Path classes = Files.createTempDirectory("gannet-floor-");
    List<String> options = new ArrayList<>(List.of("-nowarn", "-d", classes.toString(), "-cp"));
    options.add(System.getProperty("java.class.path"));
    options.add(file.getPath());
    if (javac.run(null, System.err, System.err, options.toArray(String[]::new)) != 0) {
      throw new IOException(file + " cannot be compiled");
    }
    String name = file.getName().replaceFirst("\\.java$", "");
    URL[] urls = {classes.toUri().toURL()};
    return Class.forName(name, true, new URLClassLoader(urls));
  }

  private static void invoke(Method main, String[] args) {
    try {
      main.invoke(null, (Object) args);
    } catch (ReflectiveOperationException e) {
      System.err.println("Exception: the floor has ended: " + e.getCause());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static void awaitListening(int port) throws IOException {
    long giveUpNanos = System.nanoTime() + MAX_START.toNanos();
    while (true) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException e) {
        if (System.nanoTime() - giveUpNanos > 0) {
          throw e;
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }
}
