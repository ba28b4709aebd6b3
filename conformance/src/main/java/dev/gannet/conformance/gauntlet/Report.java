package dev.gannet.conformance.gauntlet;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The tables as they grow: on the output, and in a file if there is to be one. Of one thread. */
final class Report implements AutoCloseable {
  private final PrintWriter out;
  private final Path file;
  private final StringWriter copy = new StringWriter();

  /** With no file if its path is empty. */
  Report(PrintWriter out, Path file) {
    this.out = out;
    this.file = file;
  }

  void begin(int callsPerSecond, Duration attacked) {
    add(
        """
        %d honest unary calls a second over 4 connections, at a fixed rate; latencies from the moment a
        call was meant to begin. Server, honest clients and attackers are processes of one machine with
        %d processors, and Java %s. Servers run with %s. Each attack lasts %d seconds. One attacker
        sends at most 1 MiB a second (unequal-work and tiny-header-list 128 KiB, state-split 256 KiB,
        for each of their calls is work to be done), fifty send 8 times that together; who is cut off
        comes back up to 20 times a second, fifty up to 200 times together.

        Bars: no honest call fails; with one attacker honest p99 at most doubles (or stays below 2 ms)
        and throughput is 95 %% or more; with fifty it is 80 %% or more; heap and direct memory are back
        within 10 seconds; less than 1 MiB is kept for each attacking connection, beyond
        the 4 MiB by which honest load wavers.
        """
            .formatted(
                callsPerSecond,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                ServerKind.memory(),
                attacked.toSeconds()));
  }

  void begin(ServerKind server) {
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
  }

  @Override
  public void close() throws IOException {
    if (!file.toString().isEmpty()) {
      Files.writeString(file, copy.toString());
    }
  }

  private void add(String text) {
    out.print(text);
    out.flush();
    copy.write(text);
  }
}
