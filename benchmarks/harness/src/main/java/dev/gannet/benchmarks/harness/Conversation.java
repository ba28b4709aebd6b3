package dev.gannet.benchmarks.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/**
 * What a program and its orchestrator say to each other: a line in, a line out. The program first
 * says {@code ready}; it ends when nothing more can come. What libraries print meanwhile goes to
 * standard error.
 *
 * <p>Every program knows {@code sample}, what it has used so far, and {@code heap}, what it keeps.
 */
final class Conversation {
  /** Answers what only some programs are asked. */
  interface Answers {
    String to(String[] words) throws Exception;
  }

  private static final int COLLECTIONS = 3;

  private final PrintStream out = System.out;

  Conversation() {
    System.setOut(System.err);
  }

  void say(String line) {
    out.println(line);
    out.flush();
  }

  /** Says why there is nothing to be ready for, and ends the process. */
  void fail(Exception e) {
    e.printStackTrace();
    say(failure(e));
    Runtime.getRuntime().halt(1);
  }

  /** Answers until standard input ends. */
  void hold(Answers answers) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      say(answer(line.split(" "), answers));
    }
  }

  private static String answer(String[] words, Answers answers) {
    try {
      return switch (words[0]) {
        case "sample" -> sample();
        case "heap" -> heap();
        default -> answers.to(words);
      };
    } catch (Exception e) {
      return failure(e);
    }
  }

  private static String failure(Exception e) {
    String what = e instanceof RunFailedException ? String.valueOf(e.getMessage()) : e.toString();
    return new JsonLine().with("failure", what).toString();
  }

  private static String sample() {
    Cost cost = Cost.soFar();
    return new JsonLine()
        .with("allocatedBytes", cost.allocatedBytes())
        .with("cpuNanos", cost.cpuNanos())
        .toString();
  }

  private static String heap() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return new JsonLine()
        .with("usedHeapBytes", runtime.totalMemory() - runtime.freeMemory())
        .toString();
  }
}
