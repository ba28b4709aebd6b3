package dev.gannet.benchmarks.compare.report;

import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.trial.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The report for readers: a single page without further files. */
public final class HtmlPage {
  private static final String STYLE =
      """
      body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 1500px; padding: 0 1em;
        color: #222; background: #fff }
      table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto }
      th, td { padding: .25em .6em; border-bottom: 1px solid #ddd; text-align: right;
        white-space: nowrap }
      th:first-child, td:first-child { text-align: left }
      .failed { color: #a00; font-weight: bold }
      code { background: #f4f4f4 }
      """;

  private HtmlPage() {}

  /** Writes it. */
  public static void write(Report report, Path file) throws IOException {
    Files.writeString(file, page(report));
  }

  static String page(Report report) {
    List<String> parts = new ArrayList<>();
    parts.add("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>");
    parts.add("<title>gRPC compared</title><style>\n" + STYLE + "</style></head><body>");
    parts.add("<h1>gRPC compared</h1>");
    parts.add(surroundings(report));
    parts.add(list("Failed", "failed", report.failures()));
    parts.add(list("Not here", "", report.holes()));
    parts.add(list("How to read this", "", report.notes()));
    report.results().forEach(it -> parts.add(section(it)));
    parts.add("</body></html>\n");
    return String.join("\n", parts);
  }

  private static String surroundings(Report report) {
    Report.Context context = report.context();
    Machine machine = context.machine();
    return "<p>"
        + escaped(machine.processor())
        + ", "
        + machine.cores()
        + " cores, "
        + escaped(machine.kernel())
        + ", "
        + escaped(machine.jdk())
        + "; begun "
        + report.begun()
        + ".</p><p><code>"
        + escaped(context.command())
        + "</code><br>"
        + escaped(context.effort())
        + "<br>Every JVM: <code>"
        + escaped(String.join(" ", context.jvm()))
        + "</code></p>"
        + list("Versions", "", context.versions());
  }

  private static String list(String title, String cssClass, List<String> items) {
    return items.isEmpty() ? "" : "<h2>" + title + "</h2>" + items(cssClass, items);
  }

  private static String items(String cssClass, List<String> items) {
    if (items.isEmpty()) {
      return "";
    }
    List<String> entries = items.stream().map(it -> "<li>" + escaped(it) + "</li>").toList();
    return "<ul class='" + cssClass + "'>" + String.join("\n", entries) + "</ul>";
  }

  private static String section(Result result) {
    List<Metric> metrics = TextTable.metrics(result);
    String table = metrics.isEmpty() ? "" : table(TextTable.rows(result, metrics));
    return "<h2>"
        + escaped(result.workload().name())
        + "</h2><p>"
        + escaped(result.workload().description())
        + ".</p>"
        + table
        + items("", result.remarks())
        + LatencyPlot.of(result);
  }

  /** The second row of a Markdown table is a line. */
  private static String table(List<List<String>> rows) {
    StringBuilder html = new StringBuilder("<table>").append(row(rows.getFirst(), "th"));
    rows.stream().skip(2).forEach(it -> html.append(row(it, "td")));
    return html.append("</table>").toString();
  }

  private static String row(List<String> cells, String tag) {
    List<String> inner =
        cells.stream().map(it -> "<" + tag + ">" + escaped(it) + "</" + tag + ">").toList();
    return "<tr>" + String.join("", inner) + "</tr>\n";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;");
  }
}
