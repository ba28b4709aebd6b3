package dev.gannet.benchmarks.compare.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program in its own process, controlled line by line. Not thread-safe. Failures are reported in
 * a sentence that contains its name.
 */
public final class Child implements AutoCloseable {
  private static final Duration MAX_START = Duration.ofMinutes(1);
  private static final Duration MAX_ANSWER = Duration.ofMinutes(2);
  private static final Duration MAX_END = Duration.ofSeconds(5);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END = "\0";

  private final String name;
  private final Process process;
  private final Path errors;
  private final PrintWriter in;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private Child(String name, Process process, Path errors) {
    this.name = name;
    this.process = process;
    this.errors = errors;
    this.in = new PrintWriter(process.outputWriter(UTF_8), true);
    Thread.ofPlatform()
        .daemon()
        .name("reads " + name)
        .start(this::read); // a pipe would pin a carrier
  }

  /** Starts a program; {@code name} is its name in messages. */
  public static Child start(String name, Program program) throws IOException {
    Path errors = Files.createTempFile("gannet-compare-", ".log");
    Process process = new ProcessBuilder(program.command()).redirectError(errors.toFile()).start();
    return new Child(name, process, errors);
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      reader.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      // The process has ended; there is no more output.
    } finally {
      lines.add(END);
    }
  }

  /** What it prints after {@code ready}. */
  public String awaitReady() throws InterruptedException {
    String line = nextLine(MAX_START);
    if (line.startsWith("{")) {
      throw new RunFailedException(name + ": " + parse(line).path("failure").asText());
    }
    if (!line.startsWith("ready")) {
      throw new RunFailedException(name + " was to say that it is ready, but said: " + line);
    }
    return line.substring("ready".length()).strip();
  }

  /** Sends a command, and waits for the answer. */
  public JsonNode ask(String question) throws InterruptedException {
    in.println(question);
    return answer();
  }

  /** The next line of its output. */
  public JsonNode answer() throws InterruptedException {
    JsonNode answer = parse(nextLine(MAX_ANSWER));
    if (answer.has("failure")) {
      throw new RunFailedException(name + ": " + answer.get("failure").asText());
    }
    return answer;
  }

  /** A number of an answer; empty if the answer has no such field. */
  public static OptionalLong number(JsonNode answer, String field) {
    return answer.has(field) ? OptionalLong.of(answer.get(field).asLong()) : OptionalLong.empty();
  }

  private JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new RunFailedException(name + " said what is no JSON: " + line, e);
    }
  }

  private String nextLine(Duration longest) throws InterruptedException {
    @Nullable String line = lines.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
    if (line == null) {
      throw new RunFailedException(name + " said nothing for " + longest.toSeconds() + " s");
    }
    if (line.equals(END)) {
      process.waitFor(MAX_END.toNanos(), TimeUnit.NANOSECONDS);
      throw new RunFailedException(name + " has died" + lastError());
    }
    return line;
  }

  private String lastError() {
    try {
      List<String> written = Files.readAllLines(errors);
      return written.stream()
          .filter(it -> it.startsWith("Exception") || it.startsWith("Caused by"))
          .reduce((one, other) -> other)
          .or(() -> written.stream().reduce((one, other) -> other))
          .map(it -> ": " + it)
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }

  /** The process, for statistics of the operating system. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  @Override
  public void close() {
    in.close();
    try {
      if (!process.waitFor(MAX_END.toNanos(), TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
      }
      Files.deleteIfExists(errors);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
