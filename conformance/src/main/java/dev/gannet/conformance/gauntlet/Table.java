package dev.gannet.conformance.gauntlet;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The results of the gauntlet, as Markdown. */
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
        "| attack | attackers | runs | MiB/s offered | honest p50, ms: without attack (→ with the"
            + " decoy) → under attack | honest p99, ms: without attack (→ with the decoy) → under"
            + " attack | throughput | failed | heap + direct, MiB: before, held, after | KiB a"
            + " connection | connections: opened, ended | what they were told | missed |");
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    out.flush();
  }

  static void print(PrintWriter out, Row row) {
    String missed = row.missed().isEmpty() ? "–" : escape(missed(row.missed()));
    String cells = row.runs().map(Table::cells).orElse("| | | | | | | | | | ");
    out.println(
        "| "
            + row.description().name()
            + " | "
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
    return cell(Integer.toString(runs.count()))
        + cell(decimal(outcome.offeredMibPerSecond()))
        + cell(course(honest, HonestFigures::medianNanos))
        + cell(course(honest, HonestFigures::p99Nanos))
        + cell(Bars.percent(honest.throughputShare()))
        + cell(Long.toString(honest.attacked().failures()))
        + cell(memory(outcome.kept()))
        + cell(Long.toString(Math.round(outcome.kept().bytesPerConnection() / KIB)))
        + cell(outcome.attack().opened() + ", " + outcome.attack().ended())
        + cell(words(outcome.attack().endings()));
  }

  private static String memory(Kept kept) {
    return mib(kept.before()) + ", " + mib(kept.held()) + ", " + mib(kept.after());
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
