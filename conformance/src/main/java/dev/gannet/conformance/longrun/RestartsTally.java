package dev.gannet.conformance.longrun;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The outputs of the clients and servers of {@link Restarts}. Safe for all threads. */
final class RestartsTally {
  private static final int EXAMPLES = 3;

  private final Set<String> completed = ConcurrentHashMap.newKeySet();
  private final Queue<String> doubled = new ConcurrentLinkedQueue<>();
  private final Queue<String> failed = new ConcurrentLinkedQueue<>();
  private final Queue<String> broken = new ConcurrentLinkedQueue<>();
  private final Queue<String> other = new ConcurrentLinkedQueue<>();
  private final Map<String, Long> calls = new ConcurrentHashMap<>();
  private final AtomicLong streams = new AtomicLong();

  /** A server has completed the call with this id. */
  void completed(String id) {
    if (!completed.add(id)) {
      doubled.add(id);
    }
  }

  /** A client has printed a line. */
  void onClient(String client, String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "failed" -> failed.add(client + " " + line);
      case "broken" -> broken.add(client + " " + line);
      case "done" -> {
        String[] counts = line.split(" ", -1);
        calls.put(client, Long.parseLong(counts[1]));
        streams.addAndGet(Long.parseLong(counts[2]));
      }
      default -> other.add(client + " " + line);
    }
  }

  long completed() {
    return completed.size();
  }

  /** Adds the findings from all outputs; the clients have these names. */
  void conclude(Findings findings, List<String> clients) {
    List<String> silent = clients.stream().filter(it -> !calls.containsKey(it)).toList();
    findings.rule(
        "every client has called until the end",
        silent.isEmpty() && calls.values().stream().allMatch(it -> it > 0) && other.isEmpty(),
        silent.isEmpty()
            ? calls + " calls" + examples(other)
            : silent + " have not, and said" + examples(other));
    long answered = calls.values().stream().mapToLong(it -> it).sum();
    findings.rule(
        "no unary call failed",
        failed.isEmpty(),
        failed.size() + " of " + answered + examples(failed));
    findings.rule(
        "no unary call was completed twice", doubled.isEmpty(), doubled.size() + examples(doubled));
    findings.rule(
        "servers completed as many calls as were answered or failed",
        completed.size() >= answered && completed.size() <= answered + failed.size(),
        completed.size() + " completed, " + answered + " answered");
    findings.rule(
        "streams end only after their server announced its shutdown",
        broken.isEmpty() && streams.get() > 0,
        streams
            + " ended after that announcement, "
            + broken.size()
            + " otherwise"
            + examples(broken));
  }

  private static String examples(Queue<String> lines) {
    return lines.isEmpty()
        ? ""
        : "; " + String.join(" | ", lines.stream().limit(EXAMPLES).toList());
  }
}
