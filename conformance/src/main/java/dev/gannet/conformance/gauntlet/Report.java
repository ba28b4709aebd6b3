package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The tables as they grow: on the output, and in a file if requested. Confined to one thread. */
final class Report implements AutoCloseable {
  private final PrintWriter out;
  private final Path file;
  private final StringWriter copy = new StringWriter();
  private Optional<StolenTime> begun = Optional.empty();

  /** Without a file if its path is empty. */
  Report(PrintWriter out, Path file) {
    this.out = out;
    this.file = file;
  }

  void begin(int callsPerSecond, List<String> jvmOptions, Schedule schedule, boolean sleepless) {
    add(Terms.of(callsPerSecond, jvmOptions, schedule, sleepless));
  }

  void begin(ServerKind server) {
    begun = StolenTime.untilNow();
    StringWriter head = new StringWriter();
    Table.printHead(new PrintWriter(head), server);
    add(head.toString());
  }

  void add(Row row) {
    StringWriter line = new StringWriter();
    Table.print(new PrintWriter(line), row);
    add(line.toString());
  }

  void end(ServerKind server, List<Row> rows) {
    StringWriter summary = new StringWriter();
    Summary.print(new PrintWriter(summary), server, rows);
    add(summary.toString());
    begun
        .flatMap(then -> StolenTime.untilNow().map(now -> now.since(then)))
        .ifPresent(this::addStolen);
  }

  @Override
  public void close() throws IOException {
    if (!file.toString().isEmpty()) {
      Files.writeString(file, copy.toString());
    }
  }

  private void addStolen(String stolen) {
    add(
        "\nOf the processors' time, %s was taken by the machine's host (steal).\n"
            .formatted(stolen));
  }

  private void add(String text) {
    out.print(text);
    out.flush();
    copy.write(text);
  }
}
