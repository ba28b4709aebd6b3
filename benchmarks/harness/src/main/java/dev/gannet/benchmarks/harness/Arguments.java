package dev.gannet.benchmarks.harness;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The options that a program was started with, each a name and a value: {@code --port 0}. */
public final class Arguments {
  private final Map<String, String> values = new HashMap<>();

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException if a name has no value, or a value no name
   */
  public Arguments(String... args) {
    for (int i = 0; i < args.length; i += 2) {
      if (!args[i].startsWith("--") || i + 1 == args.length) {
        throw new IllegalArgumentException("options come as --name value: " + args[i]);
      }
      values.put(args[i].substring(2), args[i + 1]);
    }
  }

  /** An option's value, if it was given. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** An option's value, which must have been given. */
  public String required(String name) {
    return text(name).orElseThrow(() -> new IllegalArgumentException("needs --" + name));
  }

  /** An option's value as a number, or another where it was not given. */
  public int number(String name, int otherwise) {
    return text(name).map(Integer::parseInt).orElse(otherwise);
  }
}
