package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.compare.trial.Workload.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Pairs of server and client that take turns, each in processes of its own: the baseline with
 * itself, the same again as a control, and the working tree's side with the baseline's other side.
 *
 * @param judged the pairs with one side of the working tree
 */
public record BaselineComparison(Pair baseline, Pair control, Map<Judged, Pair> judged) {
  /** A server and the client that calls it. */
  public record Pair(Entrant server, Entrant client) {
    @Override
    public String toString() {
      return server.name() + "/" + client.name();
    }
  }

  /**
   * The programs of both builds.
   *
   * @param neutral h2load, or what is missing in its place
   * @param raw the client of idle connections
   */
  public record Sources(
      GannetBuild baseline, GannetBuild workingTree, Entrant neutral, Entrant raw) {}

  private static final String BASELINE = "baseline";
  private static final String CONTROL = "control";
  private static final String WORKING_TREE = "working-tree";
  private static final String INLINE = "inline";
  private static final String VIRTUAL = "virtual";

  /** All pairs. */
  public List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>(List.of(baseline, control));
    pairs.addAll(judged.values());
    return pairs;
  }

  /**
   * The comparisons of a workload. A server is called by h2load where other comparisons do the
   * same.
   */
  public static List<BaselineComparison> of(Workload workload, Sources sources) {
    return switch (workload.task()) {
      case Task.IdleConnections idle -> ofServers(sources, sources.raw);
      case Task.FirstCall first -> List.of(ofClients(sources));
      case Task.IdleStreams idle -> ofBoth(sources);
      case Task.Calls calls ->
          isNeutral(workload) && sources.neutral.source() instanceof Source.Tool
              ? ofServersAndClients(sources)
              : ofBoth(sources);
    };
  }

  /** Whether its servers are called by a tool that is not a build of Gannet. */
  public static boolean isNeutral(Workload workload) {
    return workload.name().equals(DuelTable.OF_ALL_SERVERS);
  }

  private static List<BaselineComparison> ofServers(Sources sources, Entrant client) {
    return List.of(
        ofServers(sources, Judged.SERVER_INLINE, client),
        ofServers(sources, Judged.SERVER_VIRTUAL, client));
  }

  private static List<BaselineComparison> ofServersAndClients(Sources sources) {
    List<BaselineComparison> comparisons = new ArrayList<>(ofServers(sources, sources.neutral));
    comparisons.add(ofClients(sources));
    return comparisons;
  }

  private static List<BaselineComparison> ofBoth(Sources sources) {
    BaselineComparison servers =
        ofServers(sources, Judged.SERVER_INLINE, sources.baseline.client(BASELINE));
    Map<Judged, Pair> judged = new EnumMap<>(servers.judged);
    judged.putAll(ofClients(sources).judged);
    return List.of(
        new BaselineComparison(servers.baseline, servers.control, judged),
        ofServers(sources, Judged.SERVER_VIRTUAL, sources.baseline.client(BASELINE)));
  }

  private static BaselineComparison ofServers(Sources sources, Judged judged, Entrant client) {
    String mode = judged == Judged.SERVER_VIRTUAL ? VIRTUAL : INLINE;
    return new BaselineComparison(
        new Pair(sources.baseline.server(BASELINE + "-" + mode, mode), client),
        new Pair(sources.baseline.server(CONTROL + "-" + mode, mode), client),
        Map.of(
            judged, new Pair(sources.workingTree.server(WORKING_TREE + "-" + mode, mode), client)));
  }

  private static BaselineComparison ofClients(Sources sources) {
    Entrant client = sources.baseline.client(BASELINE);
    return new BaselineComparison(
        new Pair(sources.baseline.server(BASELINE + "-" + INLINE, INLINE), client),
        new Pair(sources.baseline.server(CONTROL + "-" + INLINE, INLINE), client),
        Map.of(
            Judged.CLIENT,
            new Pair(
                // A separate server: a server that two clients call would be warmer than the
                // others.
                sources.baseline.server("another-" + BASELINE + "-" + INLINE, INLINE),
                sources.workingTree.client(WORKING_TREE))));
  }
}
