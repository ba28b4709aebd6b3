package dev.gannet.benchmarks.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gannet.benchmarks.compare.statistics.Ratio;
import dev.gannet.benchmarks.compare.statistics.Round;
import dev.gannet.benchmarks.compare.trial.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The report for programs: every round of every contender. */
public final class JsonReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonReport() {}

  /** Writes it. */
  public static void write(Report report, Path file) throws IOException {
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), tree(report));
  }

  static ObjectNode tree(Report report) {
    ObjectNode root = JSON.createObjectNode();
    Report.Context context = report.context();
    root.put("begun", report.begun().toString());
    root.put("command", context.command());
    root.put("effort", context.effort());
    root.putObject("machine")
        .put("processor", context.machine().processor())
        .put("cores", context.machine().cores())
        .put("kernel", context.machine().kernel())
        .put("jdk", context.machine().jdk());
    addAll(root.putArray("jvmOptions"), context.jvm());
    addAll(root.putArray("versions"), context.versions());
    addAll(root.putArray("notes"), report.notes());
    addAll(root.putArray("holes"), report.holes());
    addAll(root.putArray("failures"), report.failures());
    ArrayNode workloads = root.putArray("workloads");
    report.results().forEach(it -> add(workloads.addObject(), it));
    return root;
  }

  private static void addAll(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  private static void add(ObjectNode node, Result result) {
    node.put("name", result.workload().name());
    node.put("description", result.workload().description());
    addAll(node.putArray("remarks"), result.remarks());
    ArrayNode contenders = node.putArray("contenders");
    result
        .rounds()
        .forEach((contender, rounds) -> {
          ObjectNode one = contenders.addObject();
          one.put("server", contender.server()).put("client", contender.client());
          ArrayNode all = one.putArray("rounds");
          rounds.forEach(it -> add(all.addObject(), it));
        });
    ArrayNode pairs = node.putArray("pairs");
    for (Result.Verdict verdict : result.verdicts()) {
      ObjectNode pair = pairs.addObject();
      pair.put("first", verdict.duel().first().toString());
      pair.put("second", verdict.duel().second().toString());
      ObjectNode ratios = pair.putObject("secondIsBetterBy");
      verdict.ratios().forEach((metric, ratio) -> add(ratios.putObject(metric.name()), ratio));
    }
  }

  private static void add(ObjectNode node, Round round) {
    round.figures().forEach((metric, figure) -> node.put(metric.name(), figure));
  }

  private static void add(ObjectNode node, Ratio ratio) {
    node.put("median", ratio.median()).put("least", ratio.least()).put("most", ratio.most());
  }
}
