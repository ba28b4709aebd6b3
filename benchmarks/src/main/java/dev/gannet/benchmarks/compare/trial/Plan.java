package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The comparisons of a run, and what is missing for others.
 *
 * @param duels the possible comparisons, by workload
 * @param impossible the others
 * @param holes the missing programs with the reason, one sentence each
 */
public record Plan(
    Map<Workload, List<Duel>> duels, Map<Workload, List<Duel>> impossible, List<String> holes) {
  /**
   * The wishes of the user; where a wish is empty, the plan's own choice applies.
   *
   * @param everyone whether that choice is to have every library in every workload
   */
  public record Wishes(
      List<String> workloads,
      List<String> servers,
      List<String> clients,
      List<String> pairs,
      boolean everyone) {}

  private static final String BASE = "gannet-inline";

  /**
   * Makes a plan.
   *
   * @throws IllegalArgumentException if something is wished for that cannot be
   */
  public static Plan of(Wishes wishes, Roster roster) {
    Map<Workload, List<Duel>> duels = new LinkedHashMap<>();
    Map<Workload, List<Duel>> impossible = new LinkedHashMap<>();
    Set<String> holes = new LinkedHashSet<>();
    for (Workload workload : workloads(wishes.workloads)) {
      List<Duel> possible = new ArrayList<>();
      for (Duel duel : wished(wishes, workload, roster)) {
        List<String> obstacles =
            duel.both().stream().flatMap(it -> obstacles(it, workload, roster)).toList();
        if (obstacles.isEmpty()) {
          possible.add(duel);
        } else {
          impossible.computeIfAbsent(workload, it -> new ArrayList<>()).add(duel);
        }
        holes.addAll(obstacles);
      }
      duels.put(workload, possible);
    }
    return new Plan(duels, impossible, List.copyOf(holes));
  }

  /** What is missing for the workload. */
  public List<Duel> impossible(Workload workload) {
    return impossible.getOrDefault(workload, List.of());
  }

  /**
   * The workloads of these names, or all.
   *
   * @throws IllegalArgumentException if one of them has no such name
   */
  public static List<Workload> workloads(List<String> names) {
    if (names.isEmpty()) {
      return Workloads.all();
    }
    return names.stream()
        .map(name ->
            Workloads.named(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no workload " + name)))
        .toList();
  }

  private static List<Duel> wished(Wishes wishes, Workload workload, Roster roster) {
    if (!wishes.pairs.isEmpty()) {
      return wishes.pairs.stream().map(Duel::parse).toList();
    }
    if (wishes.servers.isEmpty() && wishes.clients.isEmpty()) {
      return DuelTable.of(workload, roster, wishes.everyone);
    }
    List<String> servers = wishes.servers.isEmpty() ? List.of(BASE) : wishes.servers;
    List<String> clients = clients(wishes, workload);
    List<Contender> all =
        servers.stream()
            .flatMap(server -> clients.stream().map(client -> new Contender(server, client)))
            .toList();
    if (all.size() < 2) {
      throw new IllegalArgumentException("a comparison needs two servers or two clients at least");
    }
    Contender base =
        all.stream().filter(it -> it.server().equals(BASE)).findFirst().orElse(all.getFirst());
    return all.stream().filter(it -> !it.equals(base)).map(it -> new Duel(it, base)).toList();
  }

  private static List<String> clients(Wishes wishes, Workload workload) {
    if (workload.task() instanceof Workload.Task.IdleConnections) {
      return List.of(Roster.RAW);
    }
    return wishes.clients.isEmpty() ? List.of(Roster.GANNET) : wishes.clients;
  }

  private static Stream<String> obstacles(Contender contender, Workload workload, Roster roster) {
    boolean isIdle = workload.task() instanceof Workload.Task.IdleConnections;
    if (isIdle && !contender.client().equals(Roster.RAW)) {
      return Stream.of(workload.name() + " has no client but " + Roster.RAW + ": " + contender);
    }
    return Stream.of(roster.server(contender.server()), roster.client(contender.client()))
        .flatMap(it -> obstacles(it, workload));
  }

  private static Stream<String> obstacles(Entrant entrant, Workload workload) {
    if (entrant.source() instanceof Source.Missing(String why)) {
      return Stream.of(entrant.name() + " is missing: " + why);
    }
    return entrant.can(workload)
        ? Stream.empty()
        : Stream.of(entrant.name() + " cannot do " + workload.name());
  }
}
