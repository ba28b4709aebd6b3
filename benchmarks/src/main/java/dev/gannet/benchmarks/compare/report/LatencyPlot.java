package dev.gannet.benchmarks.compare.report;

import dev.gannet.benchmarks.compare.trial.Contender;
import dev.gannet.benchmarks.compare.trial.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * Latency by percentile as an inline SVG with two logarithmic axes: rare calls on the right, slow
 * ones at the top. One line for each contender, over all its rounds.
 */
final class LatencyPlot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 320;
  private static final int LEFT = 70;
  private static final int TOP = 14;
  private static final int BOTTOM = 40;
  private static final int LEGEND = 250;
  private static final int LEGEND_LINE = 18;
  private static final double NINES = 4;
  private static final int STEPS = 80;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final List<String> COLOURS =
      List.of(
          "#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#555555", "#0b8a8a", "#7a4a1e",
          "#e377c2", "#9aa81c", "#3b3bd1", "#000000");
  private static final Map<Double, String> PERCENTILES = percentiles();

  private final Map<Contender, Histogram> lines;
  private final double lowest;
  private final double highest;

  private LatencyPlot(Map<Contender, Histogram> lines) {
    this.lines = lines;
    this.lowest = Math.floor(log(lines, 0));
    this.highest = Math.max(lowest + 1, Math.ceil(log(lines, NINES)));
  }

  private static Map<Double, String> percentiles() {
    Map<Double, String> percentiles = new LinkedHashMap<>();
    percentiles.put(0.0, "0");
    percentiles.put(nines(50), "50");
    percentiles.put(1.0, "90");
    percentiles.put(2.0, "99");
    percentiles.put(3.0, "99.9");
    percentiles.put(4.0, "99.99");
    return percentiles;
  }

  private static double nines(double percentile) {
    return -Math.log10(1 - percentile / 100);
  }

  private static double log(Map<Contender, Histogram> lines, double nines) {
    DoubleStream all = lines.values().stream().mapToDouble(it -> logMicros(it, nines));
    return nines == 0 ? all.min().orElse(0) : all.max().orElse(1);
  }

  private static double logMicros(Histogram histogram, double nines) {
    double percentile = 100 * (1 - Math.pow(10, -nines));
    return Math.log10(Math.max(1, histogram.getValueAtPercentile(percentile) / NANOS_PER_MICRO));
  }

  /** The plot of a workload; empty if none of its rounds has latencies. */
  static String of(Result result) {
    Map<Contender, Histogram> lines = new LinkedHashMap<>();
    result
        .rounds()
        .forEach((contender, rounds) -> {
          Histogram sum = new Histogram(3);
          rounds.forEach(it -> it.latencyNanos().ifPresent(sum::add));
          if (sum.getTotalCount() > 0) {
            lines.put(contender, sum);
          }
        });
    return lines.isEmpty() ? "" : new LatencyPlot(lines).svg();
  }

  private String svg() {
    List<String> parts = new ArrayList<>();
    parts.add(
        String.format(
            Locale.ROOT,
            "<svg viewBox='0 0 %d %d' width='%d' height='%d' role='img' font-size='11'"
                + " font-family='sans-serif' aria-label='latency by percentile'>",
            WIDTH + LEGEND,
            HEIGHT,
            WIDTH + LEGEND,
            HEIGHT));
    PERCENTILES.forEach((nines, label) -> parts.add(column(nines, label)));
    for (double decade = lowest; decade <= highest; decade++) {
      parts.add(row(decade));
    }
    int index = 0;
    for (Map.Entry<Contender, Histogram> line : lines.entrySet()) {
      parts.add(line(line.getValue(), COLOURS.get(index % COLOURS.size())));
      parts.add(legend(line.getKey(), index));
      index++;
    }
    parts.add("</svg>");
    return String.join("\n", parts);
  }

  private String column(double nines, String label) {
    return String.format(
        Locale.ROOT,
        "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#ddd'/>"
            + "<text x='%.1f' y='%d' text-anchor='middle'>%s%%</text>",
        x(nines),
        TOP,
        x(nines),
        HEIGHT - BOTTOM,
        x(nines),
        HEIGHT - BOTTOM + LEGEND_LINE,
        label);
  }

  private String row(double decade) {
    return String.format(
        Locale.ROOT,
        "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' stroke='#ddd'/>"
            + "<text x='%d' y='%.1f' text-anchor='end'>%,.0f µs</text>",
        LEFT,
        y(decade),
        WIDTH,
        y(decade),
        LEFT - 6,
        y(decade) + 4,
        Math.pow(10, decade));
  }

  private String line(Histogram histogram, String colour) {
    String points =
        DoubleStream.iterate(0, it -> it + NINES / STEPS)
            .limit(STEPS + 1)
            .mapToObj(
                it -> String.format(Locale.ROOT, "%.1f,%.1f", x(it), y(logMicros(histogram, it))))
            .collect(Collectors.joining(" "));
    return String.format(
        Locale.ROOT,
        "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>",
        points,
        colour);
  }

  private String legend(Contender contender, int index) {
    int y = TOP + LEGEND_LINE * (index + 1);
    return String.format(
        Locale.ROOT,
        "<rect x='%d' y='%d' width='12' height='4' fill='%s'/><text x='%d' y='%d'>%s</text>",
        WIDTH + 16,
        y - 6,
        COLOURS.get(index % COLOURS.size()),
        WIDTH + 34,
        y,
        HtmlPage.escaped(contender.toString()));
  }

  private static double x(double nines) {
    return LEFT + (WIDTH - LEFT) * nines / NINES;
  }

  private double y(double decade) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (highest - decade) / (highest - lowest);
  }
}
