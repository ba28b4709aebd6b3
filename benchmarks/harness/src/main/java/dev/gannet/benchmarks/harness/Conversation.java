package dev.gannet.benchmarks.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/**
 * The protocol between a program and its orchestrator: one line in, one line out. The program first
 * prints {@code ready}; it ends when its input ends. Output of libraries goes to standard error.
 *
 * <p>Every program knows the commands {@code sample}, its resource usage so far, and {@code heap},
 * its live heap.
 */
final class Conversation {
  /** Answers commands that only some programs have. */
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

  /** Reports why the program cannot start, and ends the process. */
  void fail(Exception e) {
    e.printStackTrace();
    say(failure(e));
    Runtime.getRuntime().halt(1);
  }

  /** Answers commands until standard input ends. */
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
