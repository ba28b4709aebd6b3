package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.Program;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The processes of one duel after the other; both sides stay until its end. */
final class Stage implements AutoCloseable {
  private final Workload workload;
  private final Certificate certificate;
  private final Map<String, ServerChild> servers = new HashMap<>();
  private final Deque<Child> open = new ArrayDeque<>();

  Stage(Workload workload, Certificate certificate) {
    this.workload = workload;
    this.certificate = certificate;
  }

  Workload workload() {
    return workload;
  }

  /**
   * Ends everything: a program that is compared with many others would otherwise be warmer than
   * those each time.
   */
  void nextDuel() {
    close();
    servers.clear();
  }

  /** The server of that name in this duel, started if it is not there yet. */
  ServerChild server(Entrant entrant) throws IOException, InterruptedException {
    ServerChild there = servers.get(entrant.name());
    if (there == null) {
      there = freshServer(entrant);
      servers.put(entrant.name(), there);
    }
    return there;
  }

  /** So many servers of that name in this duel, started if they are not there yet. */
  List<ServerChild> servers(Entrant entrant, int count) throws IOException, InterruptedException {
    List<ServerChild> all = new ArrayList<>();
    all.add(server(entrant));
    for (int i = 1; i < count; i++) {
      String name = entrant.name() + " " + i;
      ServerChild there = servers.get(name);
      if (there == null) {
        there = freshServer(entrant);
        servers.put(name, there);
      }
      all.add(there);
    }
    return all;
  }

  /** A server for one contender only. */
  ServerChild freshServer(Entrant entrant) throws IOException, InterruptedException {
    List<String> options = new ArrayList<>(List.of("--port", "0"));
    if (workload.isEncrypted()) {
      options.addAll(certificate.serverOptions());
    }
    Child child = start(entrant, "server", options);
    return new ServerChild(child, Integer.parseInt(child.awaitReady()));
  }

  /** A client of that server, with what its workload needs. */
  Child client(Entrant entrant, ServerChild server, List<String> more)
      throws IOException, InterruptedException {
    return client(entrant, List.of(server), more);
  }

  /** A client of these servers, likewise. */
  Child client(Entrant entrant, List<ServerChild> servers, List<String> more)
      throws IOException, InterruptedException {
    String ports =
        servers.stream().map(it -> Integer.toString(it.port())).collect(Collectors.joining(","));
    List<String> options = new ArrayList<>(List.of("--port", ports));
    options.addAll(more);
    if (workload.isEncrypted()) {
      options.addAll(certificate.clientOptions());
    }
    return start(entrant, "client", options);
  }

  private Child start(Entrant entrant, String role, List<String> options) throws IOException {
    if (!(entrant.source() instanceof Entrant.Source.Built(Program program))) {
      throw new IllegalArgumentException("no program: " + entrant.name());
    }
    Child child = Child.start("the " + role + " " + entrant.name(), program.with(options));
    open.push(child);
    return child;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }
}
