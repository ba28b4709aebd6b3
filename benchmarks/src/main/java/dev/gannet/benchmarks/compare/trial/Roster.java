package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.program.Floor;
import dev.gannet.benchmarks.compare.trial.Entrant.Reach;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.harness.CallShape.Policy;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** All known servers and clients, and whether they are available. */
public record Roster(List<Entrant> servers, List<Entrant> clients) {
  /** The client that checks other implementations' servers. */
  static final String GANNET = "gannet";

  /** The client of idle connections. */
  public static final String RAW = "raw";

  /** The suffix of the names of clients with a retry policy. */
  static final String RETRIES = "-retries";

  private static final GannetBuild OWN = GannetBuild.ofThisProcess();
  private static final String PEERS_PACKAGE = "dev.gannet.benchmarks.peers.";

  public Roster {
    servers = List.copyOf(servers);
    clients = List.copyOf(clients);
  }

  /**
   * The available programs.
   *
   * @param peers the folder in which the peers are built, if any
   * @param floor the Java file of the floor, if there is one
   */
  public static Roster of(Optional<Path> peers, Optional<Path> floor) {
    return new Roster(
        List.of(
            OWN.server("gannet-inline", "inline"),
            OWN.server("gannet-virtual", "virtual"),
            OWN.server("gannet-pool", "pool"),
            OWN.server("gannet-inline-observed", "inline-observed"),
            OWN.server("gannet-virtual-observed", "virtual-observed"),
            peer(peers, "grpc-java", "grpc-java-direct", "grpcjava.GrpcJavaServer", "direct"),
            peer(peers, "grpc-java", "grpc-java-default", "grpcjava.GrpcJavaServer", "default"),
            peer(peers, "armeria", "armeria", "armeria.ArmeriaServer", ""),
            peer(peers, "vertx", "vertx", "vertx.VertxServer", "typed"),
            peer(peers, "vertx", "vertx-raw", "vertx.VertxServer", "raw"),
            peer(peers, "helidon", "helidon", "helidon.HelidonServer", ""),
            floor(floor)),
        List.of(
            OWN.client(GANNET),
            OWN.client("gannet-round-robin", Policy.ROUND_ROBIN),
            OWN.client("gannet-in-turn", Policy.IN_TURN),
            OWN.client("gannet" + RETRIES, Policy.RETRIES),
            peer(peers, "grpc-java", "grpc-java", "grpcjava.GrpcJavaClient", ""),
            grpcJavaClient(peers, "grpc-java-round-robin", Policy.ROUND_ROBIN),
            grpcJavaClient(peers, "grpc-java" + RETRIES, Policy.RETRIES),
            of(Reach.ONE_SERVER, peer(peers, "armeria", "armeria", "armeria.ArmeriaClient", "")),
            of(Reach.ONE_SERVER, peer(peers, "vertx", "vertx", "vertx.VertxClient", "")),
            of(Reach.ONE_SERVER, peer(peers, "helidon", "helidon", "helidon.HelidonClient", "")),
            h2load(),
            new Entrant(RAW, new Source.Own(), Reach.CONNECTIONS)));
  }

  private static Entrant peer(
      Optional<Path> peers, String folder, String name, String mainClass, String mode) {
    Source source =
        peers
            .map(it -> built(it.resolve(folder), mainClass, mode))
            .orElseGet(() -> new Source.Missing("no folder of peers was named"));
    return new Entrant(name, source, Reach.ALL);
  }

  private static Entrant of(Reach reach, Entrant entrant) {
    return new Entrant(entrant.name(), entrant.source(), reach);
  }

  private static Entrant grpcJavaClient(Optional<Path> peers, String name, Policy policy) {
    Entrant client = peer(peers, "grpc-java", name, "grpcjava.GrpcJavaClient", "");
    Source source =
        client.source() instanceof Source.Built(Program program)
            ? new Source.Built(program.with(List.of("--policy", policy.name())))
            : client.source();
    return new Entrant(name, source, Reach.SEVERAL_SERVERS);
  }

  private static Source built(Path folder, String mainClass, String mode) {
    Path classes = folder.resolve("target/classes");
    Path libraries = folder.resolve("target/run.classpath");
    String file = PEERS_PACKAGE.replace('.', '/') + mainClass.replace('.', '/') + ".class";
    if (!Files.exists(libraries) || !Files.exists(classes.resolve(file))) {
      return new Source.Missing("it is not built in " + folder);
    }
    String classPath = classes + File.pathSeparator + read(libraries).strip();
    List<String> arguments = mode.isEmpty() ? List.of() : List.of("--mode", mode);
    return new Source.Built(new Program(classPath, PEERS_PACKAGE + mainClass, arguments));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  private static Entrant floor(Optional<Path> file) {
    Source source =
        file.<Source>map(
                it -> OWN.program(Floor.class, List.of("--file", it.toAbsolutePath().toString())))
            .orElseGet(() -> new Source.Missing("no --floor was given"));
    return new Entrant("floor", source, Reach.PLAIN);
  }

  private static Entrant h2load() {
    Source source =
        List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)).stream()
            .map(folder -> Path.of(folder, "h2load"))
            .filter(Files::isExecutable)
            .findFirst()
            .<Source>map(it -> new Source.Tool(it.toString()))
            .orElseGet(() -> new Source.Missing("h2load is not on the PATH"));
    return new Entrant("h2load", source, Reach.PLAIN);
  }

  /** A server that fails the first attempt of each call. */
  static Entrant flakyServer() {
    return OWN.server("flaky", "flaky");
  }

  /**
   * The server of that name.
   *
   * @throws IllegalArgumentException if there can be none
   */
  public Entrant server(String name) {
    return named(servers, "server", name);
  }

  /**
   * The client of that name.
   *
   * @throws IllegalArgumentException if there can be none
   */
  public Entrant client(String name) {
    return named(clients, "client", name);
  }

  private static Entrant named(List<Entrant> all, String role, String name) {
    return all.stream()
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow(() -> {
          List<String> names = all.stream().map(Entrant::name).toList();
          return new IllegalArgumentException(
              "there is no " + role + " " + name + ", but: " + String.join(", ", names));
        });
  }
}
