package dev.gannet.stress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@code ./gannet jcstress}: runs all tests of jcstress in this module. Arguments are jcstress's
 * own; without any it uses its default preset, which takes some hours on two processors, because
 * each test runs with each combination of compilers and processors. With {@code -af NONE -sc false}
 * it leaves these combinations out and takes 16 minutes. The option {@code --quick} stands for a
 * short run of each test, compiled by C1 only.
 */
public final class Main {
  /**
   * Each test runs once for 50 ms, in its own JVM, compiled by C1 only: most of the time is spent
   * on the start of the JVM.
   */
  static final List<String> QUICK =
      List.of(
          "-m",
          "sanity",
          "-af",
          "NONE",
          "-sc",
          "false",
          "-iters",
          "1",
          "-time",
          "50",
          "-strideSize",
          "256",
          "-strideCount",
          "20",
          "-jvmArgs",
          "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

  private Main() {}

  /**
   * Ends with an exception, and so the process with 1, if a test has a forbidden outcome or an
   * error. Writes its results below the working directory.
   */
  public static void main(String[] arguments) throws Exception {
    List<String> options = new ArrayList<>(Arrays.asList(arguments));
    if (options.remove("--quick")) {
      options.addAll(0, QUICK);
    }
    org.openjdk.jcstress.Main.main(options.toArray(String[]::new));
  }
}
