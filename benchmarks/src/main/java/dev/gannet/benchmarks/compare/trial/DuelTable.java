package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.trial.Workload.Task;
import dev.gannet.benchmarks.harness.CallShape.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Who meets whom when nothing else is asked for. */
final class DuelTable {
  private static final String GRPC_JAVA = "grpc-java";
  private static final String GANNET = Roster.GANNET;
  private static final String H2LOAD = "h2load";
  private static final String INLINE = "gannet-inline";
  private static final String VIRTUAL = "gannet-virtual";
  private static final String DIRECT = "grpc-java-direct";
  private static final String DEFAULT = "grpc-java-default";

  /** Where the CPU of all servers is compared, by a neutral client and by one that sees all. */
  static final String OF_ALL_SERVERS = "unary-10x20";

  /** Where the clients are compared, with one server. */
  private static final String OF_CLIENTS = "unary-4x100";

  private DuelTable() {}

  /** With {@code everyone}, other libraries than grpc-java meet Gannet in every workload. */
  static List<Duel> of(Workload workload, Roster roster, boolean everyone) {
    if (workload.name().equals(OF_ALL_SERVERS)) {
      return Stream.of(H2LOAD, GANNET).flatMap(it -> ofAllServers(roster, it)).toList();
    }
    if (workload.task() instanceof Task.IdleConnections) {
      return ofAllServers(roster, Roster.RAW)
          .filter(it -> roster.server(it.first().server()).can(workload))
          .toList();
    }
    if (workload.servers() > 1) {
      return ofPolicies();
    }
    List<Duel> duels = new ArrayList<>(ofBothSides(workload));
    if (everyone) {
      duels.addAll(ofOthers(workload));
    }
    if (workload.name().equals(OF_CLIENTS)) {
      duels.addAll(ofAllClients(roster));
    }
    return duels;
  }

  private static Stream<Duel> ofAllServers(Roster roster, String client) {
    return Stream.concat(
        Stream.of(duel(DEFAULT, client, VIRTUAL, client)),
        roster.servers().stream()
            .map(Entrant::name)
            .filter(it -> !it.equals(INLINE))
            .map(it -> duel(it, client, INLINE, client)));
  }

  /** The libraries' clients, each on the same server as Gannet's. */
  private static List<Duel> ofAllClients(Roster roster) {
    return roster.clients().stream()
        .filter(it -> it.reach() == Entrant.Reach.ALL || it.reach() == Entrant.Reach.ONE_SERVER)
        .filter(it -> !it.name().equals(GANNET))
        .map(it -> duel(INLINE, it.name(), INLINE, GANNET))
        .toList();
  }

  /** What each policy costs beside none, and beside grpc-java's client with the same. */
  private static List<Duel> ofPolicies() {
    return Stream.of("-round-robin", Roster.RETRIES)
        .flatMap(it ->
            Stream.of(
                duel(INLINE, GANNET + it, INLINE, GANNET),
                duel(INLINE, GRPC_JAVA + it, INLINE, GANNET + it)))
        .toList();
  }

  /** Gannet on both sides against grpc-java on both. */
  private static List<Duel> ofBothSides(Workload workload) {
    Duel ofLoops = duel(DIRECT, GRPC_JAVA, INLINE, GANNET);
    Duel asShipped = duel(DEFAULT, GRPC_JAVA, VIRTUAL, GANNET);
    return workload.task() instanceof Task.FirstCall
        ? List.of(asShipped)
        : List.of(ofLoops, asShipped);
  }

  /** Both sides of the others, each against Gannet's with handlers on threads of the same kind. */
  private static List<Duel> ofOthers(Workload workload) {
    Duel ofHelidon = duel("helidon", "helidon", VIRTUAL, GANNET);
    if (workload.task() instanceof Task.Calls calls && calls.shape().kind() == Kind.SERVER_STREAM) {
      return List.of(ofHelidon); // the others' connections break over full streams taken back
    }
    return List.of(
        duel("armeria", "armeria", INLINE, GANNET),
        duel("vertx", "vertx", INLINE, GANNET),
        ofHelidon);
  }

  private static Duel duel(
      String firstServer, String firstClient, String secondServer, String secondClient) {
    return new Duel(
        new Contender(firstServer, firstClient), new Contender(secondServer, secondClient));
  }
}
