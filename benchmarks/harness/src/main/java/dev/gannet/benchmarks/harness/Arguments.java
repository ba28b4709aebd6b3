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

  /** The value of an option, if it is present. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** The value of a required option. */
  public String required(String name) {
    return text(name).orElseThrow(() -> new IllegalArgumentException("needs --" + name));
  }

  /** The value of an option as a number; the default if it is absent. */
  public int number(String name, int otherwise) {
    return text(name).map(Integer::parseInt).orElse(otherwise);
  }
}
