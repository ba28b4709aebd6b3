package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.trial.Workload.Task;
import dev.gannet.benchmarks.harness.CallShape.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The pairs that are measured by default. */
final class DuelTable {
  private static final String GRPC_JAVA = "grpc-java";
  private static final String GANNET = Roster.GANNET;
  private static final String H2LOAD = "h2load";
  private static final String INLINE = "gannet-inline";
  private static final String VIRTUAL = "gannet-virtual";
  private static final String DIRECT = "grpc-java-direct";
  private static final String DEFAULT = "grpc-java-default";

  /**
   * Compares the CPU time of all servers, with a neutral client and with one that checks every
   * response.
   */
  static final String OF_ALL_SERVERS = "unary-10x20";

  /** Compares the clients, with one server. */
  private static final String OF_CLIENTS = "unary-4x100";

  private DuelTable() {}

  /**
   * With {@code everyone}, other libraries than grpc-java are compared with Gannet in every
   * workload.
   */
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

  /**
   * The cost of each policy, compared with no policy and with grpc-java's client with the same
   * policy.
   */
  private static List<Duel> ofPolicies() {
    Stream<Duel> withAndWithout =
        Stream.of("-round-robin", Roster.RETRIES)
            .flatMap(it ->
                Stream.of(
                    duel(INLINE, GANNET + it, INLINE, GANNET),
                    duel(INLINE, GRPC_JAVA + it, INLINE, GANNET + it)));
    Duel byOwnCode = duel(INLINE, "gannet-round-robin", INLINE, "gannet-in-turn");
    return Stream.concat(withAndWithout, Stream.of(byOwnCode)).toList();
  }

  /** Gannet on both sides, compared with grpc-java on both sides. */
  private static List<Duel> ofBothSides(Workload workload) {
    Duel ofLoops = duel(DIRECT, GRPC_JAVA, INLINE, GANNET);
    Duel asShipped = duel(DEFAULT, GRPC_JAVA, VIRTUAL, GANNET);
    return workload.task() instanceof Task.FirstCall
        ? List.of(asShipped)
        : List.of(ofLoops, asShipped);
  }

  /**
   * Both sides of the other libraries, compared with Gannet with handlers on the same kind of
   * threads.
   */
  private static List<Duel> ofOthers(Workload workload) {
    Duel ofHelidon = duel("helidon", "helidon", VIRTUAL, GANNET);
    if (workload.task() instanceof Task.Calls calls && calls.shape().kind() == Kind.SERVER_STREAM) {
      return List.of(
          ofHelidon); // the connections of the others fail when full streams are cancelled
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
