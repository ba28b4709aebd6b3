package dev.gannet.conformance.gauntlet;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The results of the gauntlet, as Markdown; docs/gauntlet.md explains the columns. */
final class Table {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MIB = 1 << 20;
  private static final double KIB = 1 << 10;
  private static final int MAX_WORDS = 3;

  private Table() {}

  /** The head of the table of one server. */
  static void printHead(PrintWriter out, ServerKind server) {
    out.println();
    out.println("## " + server.title());
    out.println();
    out.println(
        "| attack x attackers | MiB/s | honest p50, ms | honest p99, ms | honest calls | memory, MiB"
            + " | connections | missed |");
    out.println("|---|---|---|---|---|---|---|---|");
    out.flush();
  }

  static void print(PrintWriter out, Row row) {
    String missed = row.missed().isEmpty() ? "–" : escape(missed(row.missed()));
    String cells = row.runs().map(Table::cells).orElse("| | | | | | ");
    out.println(
        "| "
            + row.description().name()
            + " x "
            + row.attackers()
            + " "
            + cells
            + "| "
            + missed
            + " |");
    out.flush();
  }

  private static String missed(List<Miss> missed) {
    return missed.stream().map(Miss::words).collect(Collectors.joining("; "));
  }

  private static String cells(Runs runs) {
    Outcome outcome = runs.median();
    HonestCourse honest = outcome.honest();
    return cell(decimal(outcome.offeredMibPerSecond()))
        + cell(course(honest, HonestFigures::medianNanos))
        + cell(course(honest, HonestFigures::p99Nanos) + repeated(runs.count()))
        + cell(Bars.percent(honest.throughputShare()) + ", " + honest.attacked().failures())
        + cell(memory(outcome.kept()))
        + cell(connections(outcome.attack()));
  }

  private static String repeated(int runs) {
    return runs > 1 ? " (" + runs + " runs)" : "";
  }

  private static String connections(AttackFigures attack) {
    return attack.opened() + ", " + attack.ended() + ": " + words(attack.endings());
  }

  private static String memory(Kept kept) {
    long kibPerConnection = Math.round(kept.bytesPerConnection() / KIB);
    return mib(kept.before())
        + ", "
        + mib(kept.held())
        + ", "
        + mib(kept.after())
        + " ("
        + kibPerConnection
        + " KiB)";
  }

  private static String course(HonestCourse honest, ToLongFunction<HonestFigures> nanos) {
    String control =
        switch (honest.control()) {
          case Control.Beside(HonestFigures beside) -> millis(nanos.applyAsLong(beside)) + " → ";
          case Control.Lost(String why) -> "(" + escape(why) + ") → ";
          case Control.None() -> "";
        };
    return millis(nanos.applyAsLong(honest.alone()))
        + " → "
        + control
        + millis(nanos.applyAsLong(honest.attacked()));
  }

  private static String millis(long nanos) {
    return decimal(nanos / NANOS_PER_MILLI);
  }

  private static String mib(Memory memory) {
    return String.format(
        Locale.ROOT, "%.0f + %.0f", memory.heapBytes() / MIB, memory.directBytes() / MIB);
  }

  private static String words(Map<String, Long> endings) {
    List<Map.Entry<String, Long>> most =
        endings.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
            .limit(MAX_WORDS)
            .toList();
    return most.isEmpty()
        ? "nothing"
        : escape(
            most.stream()
                .map(it -> it.getValue() + " x " + it.getKey())
                .collect(Collectors.joining("; ")));
  }

  private static String cell(String value) {
    return "| " + value + " ";
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String escape(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }
}
